//! The facts of a source file that rules are about, read from its syntax tree.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::{spanned::Spanned, visit::Visit};

/// A parsed file and what is in it.
pub struct Source {
    /// From the root of the repository, such as `src/room/mod.rs`.
    pub path: String,
    /// The crate that it is of: the folder in `crates`, or `vivavoce`.
    pub package: String,
    /// Where in its crate its items stand: `["room", "signal"]`.
    pub place: Vec<String>,
    /// Whether it is part of the crate's library: no test, no example, no program.
    pub is_library: bool,
    /// How many lines it has.
    pub lines: usize,
    /// How long each of them is.
    pub columns: Vec<usize>,
    /// In no particular order.
    pub facts: Vec<Fact>,
}

/// Something worth a rule.
pub struct Fact {
    /// Its line, from 1.
    pub line: usize,
    /// Within `#[cfg(test)]` or in `tests/`.
    pub in_test: bool,
    /// What it is.
    pub what: What,
}

/// The kinds of [`Fact`].
#[expect(missing_docs, reason = "the doc of a variant names its fields")]
pub enum What {
    /// A path, absolute where it leads into this crate: `["crate", "time", "SessionTime"]`.
    Path(Vec<String>),
    /// A name that is handed on (`pub use`), and the path of what it names.
    HandedOn { name: String, path: Vec<String> },
    /// A struct with named fields. `is_data` if others read or write it: its fields are agreed on.
    Struct { name: String, fields: usize, bools: usize, is_data: bool },
    /// A call of `spawn` that starts a task.
    TaskSpawn,
    /// A call of `spawn` that starts a thread.
    ThreadSpawn,
    /// `async` or `.await`.
    Async,
    /// The keyword `unsafe`.
    Unsafe,
    /// `#[ignore]`.
    Ignore,
    /// A test, and whether it says what it guards.
    Test { name: String, documented: bool },
    /// An enum of ours.
    Enum(String),
    /// A `match` with an arm for everything else: the enums that its other arms name.
    CatchAll(BTreeSet<String>),
}

impl Source {
    /// Parses a file of the repository.
    ///
    /// # Panics
    /// If it is no Rust.
    pub fn new(path: &str, text: &str) -> Self {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (package, rest) =
            match path.strip_prefix("crates/").and_then(|rest| rest.split_once('/')) {
                Some((package, rest)) => (package, rest),
                None => ("vivavoce", path),
            };
        let place = module_path(rest);
        let in_test = rest.starts_with("tests/") || rest.ends_with("/tests.rs");
        let mut visitor = Visitor { module: place.clone(), in_test, ..Visitor::default() };
        visitor.visit_file(&file);
        Self {
            path: path.into(),
            package: package.into(),
            place,
            is_library: rest.starts_with("src/") && rest != "src/main.rs",
            lines: text.lines().count(),
            columns: text.lines().map(|line| line.chars().count()).collect(),
            facts: visitor.facts,
        }
    }

    /// The first-level module of `vivavoce` that the file belongs to, such as `web`, `lib` or `main`; of the
    /// other crates the crate itself.
    pub fn area(&self) -> &str {
        if self.package == "vivavoce" {
            self.place.first().map_or("lib", String::as_str)
        } else {
            &self.package
        }
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust files of all crates, their tests too.
pub fn rust_files() -> Vec<Source> {
    let mut sources = Vec::new();
    for dir in ["crates", "src", "tests"] {
        text_files(Path::new(dir), &mut |path, text| {
            if path.ends_with(".rs") {
                sources.push(Source::new(path, text));
            }
        });
    }
    sources
}

/// Files and folders that are no part of the repository.
const NOT_OURS: &[&str] = &[".git", "target", "node_modules", "dist", "data"];

/// Every file below a folder of the repository that is text, with its path from the root.
///
/// # Panics
/// If the folder cannot be read.
pub fn text_files(dir: &Path, f: &mut impl FnMut(&str, &str)) {
    let entries =
        fs::read_dir(root().join(dir)).unwrap_or_else(|why| panic!("{}: {why}", dir.display()));
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    for name in names {
        if NOT_OURS.iter().any(|not| name == *not) {
            continue;
        }
        let path = dir.join(name);
        if root().join(&path).is_dir() {
            text_files(&path, f);
        } else if let Ok(text) = fs::read_to_string(root().join(&path)) {
            f(&path.strip_prefix(".").unwrap_or(&path).display().to_string(), &text);
        }
    }
}

/// Where in its crate a file's items stand: `src/room/signal.rs` → `["room", "signal"]`.
fn module_path(path: &str) -> Vec<String> {
    let rest = path.trim_start_matches("src/").trim_end_matches(".rs");
    let rest = rest.trim_end_matches("/mod");
    if rest == "lib" { Vec::new() } else { rest.split('/').map(str::to_owned).collect() }
}

#[derive(Default)]
struct Visitor {
    facts: Vec<Fact>,
    module: Vec<String>,
    in_test: bool,
    self_type: String,
}

impl Visitor {
    fn note(&mut self, at: &impl Spanned, what: What) {
        let line = at.span().start().line;
        self.facts.push(Fact { line, in_test: self.in_test, what });
    }

    fn note_path(&mut self, at: &impl Spanned, names: Vec<String>) {
        let names = self.absolute(names);
        self.note(at, What::Path(names));
    }

    /// A path from the root of the crate, where it leads into it.
    fn absolute(&self, mut names: Vec<String>) -> Vec<String> {
        let mut base = self.module.clone();
        match names[0].as_str() {
            "vivavoce" => names[0] = "crate".into(),
            "self" => {
                names.splice(..1, ["crate".into()].into_iter().chain(base));
            }
            "super" => {
                let ups = names.iter().take_while(|name| *name == "super").count();
                base.truncate(base.len().saturating_sub(ups));
                names.splice(..ups, ["crate".into()].into_iter().chain(base));
            }
            _ => {}
        }
        names
    }

    fn note_use(&mut self, tree: &syn::UseTree, prefix: &[String]) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.note_use(&path.tree, &with(&path.ident)),
            syn::UseTree::Name(name) => self.note_path(name, with(&name.ident)),
            syn::UseTree::Rename(name) => self.note_path(name, with(&name.ident)),
            syn::UseTree::Glob(glob) => self.note_path(glob, prefix.to_vec()),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.note_use(tree, prefix));
            }
        }
    }

    /// The inside of a macro has no syntax tree: its paths are names joined by `::`.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let mut names: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match &token {
                TokenTree::Ident(ident) if ident == "unsafe" => self.note(&token, What::Unsafe),
                TokenTree::Ident(ident) if ident == "async" || ident == "await" => {
                    self.note(&token, What::Async);
                }
                TokenTree::Ident(ident) => {
                    if colons != 2 && !names.is_empty() {
                        self.note_path(&token, std::mem::take(&mut names));
                    }
                    names.push(ident.to_string());
                    colons = 0;
                    continue;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !names.is_empty() => {
                    colons += 1;
                    if colons == 2 || punct.spacing() == Spacing::Joint {
                        continue;
                    }
                }
                TokenTree::Group(group) => {
                    let is_body = group.delimiter() != Delimiter::None;
                    let called = is_body && names.last().is_some_and(|name| name == "spawn");
                    if called && !group.stream().is_empty() {
                        let thread = names.iter().any(|name| name == "thread");
                        self.note(&token, if thread { What::ThreadSpawn } else { What::TaskSpawn });
                    }
                    self.note_tokens(group.stream());
                }
                _ => {}
            }
            if !names.is_empty() {
                self.note_path(&token, std::mem::take(&mut names));
            }
            colons = 0;
        }
        if !names.is_empty() {
            self.note_path(&proc_macro2::Span::call_site(), names);
        }
    }

    fn note_test(&mut self, attrs: &[syn::Attribute], sig: &syn::Signature) {
        let is = |attr: &syn::Attribute, name: &str| {
            attr.path().segments.last().is_some_and(|last| last.ident == name)
        };
        if attrs.iter().any(|attr| is(attr, "test")) {
            let documented = attrs.iter().any(|attr| is(attr, "doc"));
            self.note(sig, What::Test { name: sig.ident.to_string(), documented });
        }
    }
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let outside = self.in_test;
        self.in_test |= item.attrs.iter().any(is_cfg_test);
        self.module.push(item.ident.to_string());
        syn::visit::visit_item_mod(self, item);
        self.module.pop();
        self.in_test = outside;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let before = self.facts.len();
        self.note_use(&item.tree, &[]);
        if matches!(item.vis, syn::Visibility::Inherited) {
            return;
        }
        for fact in &mut self.facts[before..] {
            if let What::Path(path) = &mut fact.what {
                let path = std::mem::take(path);
                let name = path.last().cloned().unwrap_or_default();
                fact.what = What::HandedOn { name, path };
            }
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if let syn::Fields::Named(fields) = &item.fields {
            let bools = fields.named.iter().filter(|field| is_bool(&field.ty)).count();
            let (name, fields) = (item.ident.to_string(), fields.named.len());
            let is_data = item.attrs.iter().any(is_data);
            self.note(item, What::Struct { name, fields, bools, is_data });
        }
        syn::visit::visit_item_struct(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.note_path(path, names);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.visit_path(&item.path);
        self.note_tokens(item.tokens.clone());
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let outside = std::mem::take(&mut self.self_type);
        if let syn::Type::Path(of) = &*item.self_ty {
            self.self_type = last_name(&of.path);
        }
        if item.unsafety.is_some() {
            self.note(item, What::Unsafe);
        }
        syn::visit::visit_item_impl(self, item);
        self.self_type = outside;
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.note(item, What::Enum(item.ident.to_string()));
        syn::visit::visit_item_enum(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.note_test(&item.attrs, &item.sig);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_signature(&mut self, sig: &'ast syn::Signature) {
        if sig.asyncness.is_some() {
            self.note(sig, What::Async);
        }
        if let syn::Safety::Unsafe(_) = sig.safety {
            self.note(sig, What::Unsafe);
        }
        syn::visit::visit_signature(self, sig);
    }

    fn visit_item_foreign_mod(&mut self, item: &'ast syn::ItemForeignMod) {
        self.note(item, What::Unsafe);
        syn::visit::visit_item_foreign_mod(self, item);
    }

    fn visit_expr_unsafe(&mut self, expr: &'ast syn::ExprUnsafe) {
        self.note(expr, What::Unsafe);
        syn::visit::visit_expr_unsafe(self, expr);
    }

    fn visit_expr_async(&mut self, expr: &'ast syn::ExprAsync) {
        self.note(expr, What::Async);
        syn::visit::visit_expr_async(self, expr);
    }

    fn visit_expr_await(&mut self, expr: &'ast syn::ExprAwait) {
        self.note(expr, What::Async);
        syn::visit::visit_expr_await(self, expr);
    }

    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        if attr.path().is_ident("ignore") {
            self.note(attr, What::Ignore);
        }
        syn::visit::visit_attribute(self, attr);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(called) = &*call.func
            && last_name(&called.path).starts_with("spawn")
        {
            let thread = called.path.segments.iter().any(|segment| segment.ident == "thread");
            self.note(call, if thread { What::ThreadSpawn } else { What::TaskSpawn });
        }
        syn::visit::visit_expr_call(self, call);
    }

    /// `spawn` without arguments starts a child process, which is none of our business.
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method.to_string().starts_with("spawn") && !call.args.is_empty() {
            let thread = is_thread_builder(&call.receiver);
            self.note(call, if thread { What::ThreadSpawn } else { What::TaskSpawn });
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        if let Some(arm) = expr.arms.iter().find(|arm| is_catch_all(&arm.pat)) {
            let mut named = Enums { self_type: self.self_type.clone(), found: BTreeSet::new() };
            expr.arms.iter().for_each(|arm| named.visit_pat(&arm.pat));
            self.note(arm, What::CatchAll(named.found));
        }
        syn::visit::visit_expr_match(self, expr);
    }
}

fn last_name(path: &syn::Path) -> String {
    path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
}

/// Whether a field is yes or no, or may be.
fn is_bool(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    match &last.arguments {
        syn::PathArguments::AngleBracketed(inner) if last.ident == "Option" => inner
            .args
            .iter()
            .any(|arg| matches!(arg, syn::GenericArgument::Type(ty) if is_bool(ty))),
        _ => last.ident == "bool",
    }
}

/// Whether others read or write what has this attribute: files, wires, command lines.
fn is_data(attr: &syn::Attribute) -> bool {
    const DATA: [&str; 5] = ["Serialize", "Deserialize", "ToSchema", "Args", "Parser"];
    let derives = attr.path().is_ident("derive").then(|| attr.meta.require_list().ok()).flatten();
    derives.is_some_and(|list| {
        let names = list.tokens.to_string();
        names.split(|c: char| !c.is_alphanumeric()).any(|name| DATA.contains(&name))
    })
}

fn is_cfg_test(attr: &syn::Attribute) -> bool {
    attr.path().is_ident("cfg")
        && attr.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test")
}

/// Whether a chain of calls begins at `thread::Builder::new()`.
fn is_thread_builder(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::MethodCall(call) => is_thread_builder(&call.receiver),
        syn::Expr::Call(call) => matches!(&*call.func, syn::Expr::Path(called)
            if called.path.segments.iter().any(|segment| segment.ident == "Builder")),
        _ => false,
    }
}

/// `_`, `other`, `(_, _)`; a guard makes it a choice.
fn is_catch_all(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(ident) => {
            ident.subpat.is_none() && ident.ident.to_string().starts_with(char::is_lowercase)
        }
        syn::Pat::Tuple(tuple) => tuple.elems.iter().all(is_catch_all),
        _ => false,
    }
}

/// Collects the enums that patterns name: `Floor::Open { .. }` → `Floor`.
struct Enums {
    self_type: String,
    found: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Enums {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [.., owner, _] = names.as_slice() {
            let owner = if owner == "Self" { &self.self_type } else { owner };
            self.found.insert(owner.clone());
        }
    }
}
