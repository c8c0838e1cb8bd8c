//! Reads the text of a formula.
//!
//! ```text
//! sum    = factor { ("+" | "-") factor }
//! factor = part { ("*" | "/") part }
//! part   = path | number | "(" sum ")" | "rate(" sum ")" | "mean(" sum "," number ")"
//! ```

use super::formula::{Formula, MAX_WINDOW, Node, Operator};
use super::formula_error::FormulaError;

pub(super) const MAX_BYTES: usize = 1000;
pub(super) const MAX_INPUTS: usize = 16;
pub(super) const MAX_DEPTH: usize = 32;

/// A part of the text.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// A path in quotes.
    Quoted(String),
    Open,
    Close,
    Comma,
}

struct Parser {
    /// Each token and its position.
    tokens: Vec<(usize, Token)>,
    next: usize,
    end: usize,
    depth: usize,
    inputs: Vec<String>,
}

pub(super) fn parse(text: &str) -> Result<Formula, FormulaError> {
    if text.len() > MAX_BYTES {
        return Err(FormulaError::TooLarge);
    }
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        end: text.len(),
        depth: 0,
        inputs: Vec::new(),
    };
    let root = parser.sum()?;
    parser.nothing_else()?;
    Ok(Formula {
        root,
        inputs: parser.inputs,
    })
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, FormulaError> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let token = match c {
            c if c.is_whitespace() => continue,
            '(' => Token::Open,
            ')' => Token::Close,
            ',' => Token::Comma,
            '\'' | '"' => {
                let mut path = String::new();
                loop {
                    match rest.next() {
                        Some((_, end)) if end == c => break,
                        Some((_, '\\')) => path.extend(rest.next().map(|(_, c)| c)),
                        Some((_, c)) => path.push(c),
                        None => return Err(FormulaError::Open { at, close: c }),
                    }
                }
                Token::Quoted(path)
            }
            c => {
                let mut word = String::from(c);
                let is_word = |c: char| !c.is_whitespace() && !"(),'\"".contains(c);
                while let Some((_, c)) = rest.next_if(|(_, c)| is_word(*c)) {
                    word.push(c);
                }
                Token::Word(word)
            }
        };
        tokens.push((at, token));
    }
    Ok(tokens)
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    /// Returns the position of the next token.
    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(at, _)| *at)
    }

    fn take(&mut self, token: &Token) -> bool {
        let is_next = self.peek() == Some(token);
        self.next += usize::from(is_next);
        is_next
    }

    /// Takes the next token if it is an operator of this rank: `*` and `/` of a factor, or `+` and `-`.
    fn operator(&mut self, is_factor: bool) -> Option<Operator> {
        let Some(Token::Word(word)) = self.peek() else {
            return None;
        };
        let operator = Operator::of(word).filter(|operator| operator.is_factor() == is_factor)?;
        self.next += 1;
        Some(operator)
    }

    fn sum(&mut self) -> Result<Node, FormulaError> {
        let mut sum = self.factor()?;
        while let Some(operator) = self.operator(false) {
            sum = Node::Binary(operator, Box::new(sum), Box::new(self.factor()?));
        }
        Ok(sum)
    }

    fn factor(&mut self) -> Result<Node, FormulaError> {
        let mut factor = self.part()?;
        while let Some(operator) = self.operator(true) {
            factor = Node::Binary(operator, Box::new(factor), Box::new(self.part()?));
        }
        Ok(factor)
    }

    fn part(&mut self) -> Result<Node, FormulaError> {
        let at = self.at();
        let Some(token) = self.peek().cloned() else {
            return Err(FormulaError::Missing { at });
        };
        match token {
            Token::Open => {
                self.next += 1;
                let node = self.nested(Self::sum)?;
                self.close(at)?;
                Ok(node)
            }
            Token::Quoted(path) if !path.is_empty() => {
                self.next += 1;
                self.input(path)
            }
            Token::Word(word) if Operator::of(&word).is_none() => {
                self.next += 1;
                if self.peek() == Some(&Token::Open) {
                    return self.nested(|parser| parser.function(word));
                }
                match word.parse::<f64>() {
                    Ok(number) if number.is_finite() => Ok(Node::Number(number)),
                    _ => self.input(word),
                }
            }
            _ => Err(FormulaError::Missing { at }),
        }
    }

    /// Reads what follows the name of a function, with its parentheses.
    fn function(&mut self, name: String) -> Result<Node, FormulaError> {
        let at = self.at();
        if !["rate", "mean"].contains(&name.as_str()) {
            return Err(FormulaError::NoFunction { name });
        }
        self.next += 1;
        let of = Box::new(self.sum()?);
        let node = match name.as_str() {
            "rate" => Node::Rate(of),
            _ => Node::Mean(of, self.window()?),
        };
        self.close(at)?;
        Ok(node)
    }

    /// Reads the number of frames of a moving mean.
    fn window(&mut self) -> Result<usize, FormulaError> {
        if !self.take(&Token::Comma) {
            return Err(FormulaError::Window);
        }
        let Some(Token::Word(word)) = self.peek() else {
            return Err(FormulaError::Window);
        };
        let frames = word.parse::<usize>().ok();
        let frames = frames.filter(|frames| (1..=MAX_WINDOW).contains(frames));
        self.next += 1;
        frames.ok_or(FormulaError::Window)
    }

    fn input(&mut self, path: String) -> Result<Node, FormulaError> {
        let known = self.inputs.iter().position(|known| *known == path);
        if let Some(at) = known {
            return Ok(Node::Series(at));
        }
        if self.inputs.len() == MAX_INPUTS {
            return Err(FormulaError::TooLarge);
        }
        self.inputs.push(path);
        Ok(Node::Series(self.inputs.len() - 1))
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Node, FormulaError>,
    ) -> Result<Node, FormulaError> {
        if self.depth == MAX_DEPTH {
            return Err(FormulaError::TooLarge);
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    /// Takes the parenthesis that closes the one at `opened`.
    fn close(&mut self, opened: usize) -> Result<(), FormulaError> {
        if self.take(&Token::Close) {
            return Ok(());
        }
        match self.peek() {
            None => Err(FormulaError::Open {
                at: opened,
                close: ')',
            }),
            Some(_) => self.nothing_else(),
        }
    }

    /// Fails if there is another token.
    fn nothing_else(&self) -> Result<(), FormulaError> {
        let found = match self.peek() {
            None => return Ok(()),
            Some(Token::Word(word) | Token::Quoted(word)) => word.clone(),
            Some(Token::Open) => "(".to_owned(),
            Some(Token::Close) => ")".to_owned(),
            Some(Token::Comma) => ",".to_owned(),
        };
        let at = self.at();
        Err(FormulaError::Unexpected { at, found })
    }
}
