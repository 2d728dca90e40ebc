//! `picardc check`: reports all errors and lints of all files together, with what drawn samples show, and applies fixes on request.

use std::collections::BTreeSet;
use std::fs;

use ::report::render::words::format_count;
use api::{Drawn, Net};
use clap::ValueEnum;
use compiler::ast::{ItemKind, SourceId};
use compiler::diagnostics::{Applicability, Code, Diagnostic, Severity};
use compiler::host::Host as _;
use compiler::observe::observe_suite;
use compiler::parse::parse_source;
use compiler::{Compiled, Sources, compile};

use crate::command_error::CommandError;
use crate::console::{Console, Style, escape_for_terminal};
use crate::exit::Exit;
use crate::fix::{self, Texts};
use crate::load::check_readable;
use crate::render::{self, Tally, sarif, totality::Verdict};
use crate::source_files::{self, SourceFile};
use host::{Disk, build_net};

/// Check suites and report all errors and lint warnings
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Check suites: names, types, SQL, paths, predicates that never hold, and answers that never differ. All errors and lint \
                  warnings of all files are reported at once. A few samples of each task are then drawn in memory, with a fixed seed and \
                  within a fixed amount of work: one that a build could not make, an answer key that cannot be met, and a task that an \
                  idle agent passes are reported, too. Nothing is written.",
    after_help = "Exit status: 0 no errors; 1 errors (or warnings, with --deny-warnings); 2 usage error; 3 a file cannot be read or \
                  written. With --fix, the status describes the files after the fixes; with --diff, as they are.\n\nExample:\n  picardc \
                  check suites/past.pcd\n  picardc check suites/*.pcd --format short --deny-warnings\n  picardc check suites/past.pcd \
                  --fix --diff\n  picardc check suites/past.pcd --draw 100"
)]
pub struct Args {
    /// Suites, or folders whose .pcd files are checked
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Format of diagnostics: `human` goes to stderr, all others to stdout
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Fail on warnings
    #[arg(long)]
    deny_warnings: bool,
    /// Draw up to N samples of each task and axis cell; more than 4 may take longer, 0 draws none
    #[arg(long, value_name = "N", default_value_t = Net::SAMPLES)]
    draw: u32,
    /// Draw no samples, and report only what the source shows
    #[arg(long, conflicts_with = "draw")]
    no_draw: bool,
    /// Apply safe fixes, and show the diagnostics that remain
    #[arg(long)]
    fix: bool,
    /// With --fix: also apply fixes that you should review (but never one of several alternatives)
    #[arg(long, requires = "fix")]
    unsafe_fixes: bool,
    /// With --fix: write nothing, and print the changes as a unified diff
    #[arg(long, requires = "fix")]
    diff: bool,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With source lines
    Human,
    /// One line for each diagnostic
    Short,
    /// One JSON object per line
    Json,
    /// One SARIF 2.1.0 document, for code hosts and editors
    Sarif,
    /// Workflow commands, which GitHub Actions shows next to the lines
    Github,
}

/// Runs the command and returns its exit status.
pub fn run_command(args: &Args, console: &Console) -> Result<Exit, CommandError> {
    if args.diff && args.format != Format::Human {
        let message = "--diff and --format both write to standard output";
        return Err(CommandError::new_usage(message, "leave one of them out"));
    }
    let mut check = Check {
        args,
        console,
        data: String::new(),
        report: sarif::Report::default(),
        tally: Tally::default(),
        fixes: Fixes::default(),
        seen: BTreeSet::new(),
        used: BTreeSet::new(),
        checked: 0,
        verdict: Verdict::default(),
        drawn: Drawn::default(),
    };
    let (files, mut exit) = source_files::collect_sources(&args.files, console);
    // The parts of suites are checked together with the suites.
    let (parts, suites): (Vec<&SourceFile>, Vec<&SourceFile>) =
        files.iter().partition(|file| file.found && is_part(&file.path));
    let suites = suites.into_iter().map(|file| (file, Role::Suite));
    for (SourceFile { path, .. }, role) in suites.chain(parts.into_iter().map(|file| (file, Role::Part))) {
        if role == Role::Part && check.used.contains(path) {
            continue;
        }
        let checked = check_readable(path)
            .and_then(|()| source_files::run_guarded(path, "checked", || check.check_file(path, role)));
        exit = exit.max(checked.unwrap_or_else(|error| error.report_to(console)));
    }
    let Check { mut data, report, tally, fixes, checked, verdict, drawn, .. } = check;
    if tally.errors > 0 || args.deny_warnings && tally.warnings > 0 {
        exit = exit.max(Exit::NotGood);
    }
    if args.fix {
        exit = exit.max(fixes.write_fixes(args, console, &mut data));
    }
    if args.format == Format::Sarif {
        data.push_str(&report.into_document(exit));
    }
    if args.format == Format::Human && checked > 0 {
        let clean = format!("{}: no errors, no warnings", format_count(checked as u64, "file"));
        let then = if args.diff && fixes.done > 0 { "with these changes: " } else { "" };
        console.print_message(&format!("{then}{}", if tally.is_clean() { clean } else { tally.render_summary() }));
        if tally.errors == 0
            && let Some(sentence) = verdict.render_sentence()
        {
            console.print_message(&sentence);
        }
        drawn.describe_left_out().iter().for_each(|left_out| console.print_message(left_out));
    }
    Ok(console.print_data(&data, exit))
}

/// The role of a file. A part that no suite uses need not declare one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Suite,
    Part,
}

/// The state that is collected over all files.
struct Check<'a> {
    args: &'a Args,
    console: &'a Console,
    /// What is written to standard output.
    data: String,
    report: sarif::Report,
    tally: Tally,
    fixes: Fixes,
    /// The reported diagnostics: one in a file that several suites use is reported once.
    seen: BTreeSet<(String, u32, u32, &'static str, String)>,
    /// The files that suites use.
    used: BTreeSet<String>,
    /// The number of files that were checked.
    checked: usize,
    /// What is known of whether the builds of all suites can stop.
    verdict: Verdict,
    /// The samples that were drawn.
    drawn: Drawn,
}

impl Check<'_> {
    fn check_file(&mut self, path: &str, role: Role) -> Exit {
        let disk = self.build_host(path);
        if !self.args.fix {
            let compiled = compile(path, &disk);
            self.record_compiled(&compiled);
            self.report_diagnostics(&compiled, role);
            // Reported errors are counted separately.
            return if compiled.plan.is_none() && role == Role::Suite { Exit::NotGood } else { Exit::Done };
        }
        let before = self.args.diff.then(|| compile(path, &disk));
        let boldest = if self.args.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        // Samples are drawn once, of the result.
        let mut fixed = fix::fix_suite(path, &Disk::new(path), &mut self.fixes.texts, boldest);
        if let Some(observer) = disk.observer() {
            observe_suite(&mut fixed.compiled, observer);
        }
        self.fixes.done += fixed.done.len();
        let verb = if self.args.diff { "would fix" } else { "fixed" };
        self.console.print_block(&fixed.done.iter().map(|done| format!("{verb} {done}\n")).collect::<String>());
        self.console.print_block(&fixed.left.iter().map(|left| format!("{left}\n")).collect::<String>());
        self.record_compiled(&fixed.compiled);
        self.report_diagnostics(&fixed.compiled, role);
        let good = match &before {
            Some(before) => before.plan.is_some() && !(self.args.deny_warnings && has_warning(&before.diagnostics)),
            None => fixed.compiled.plan.is_some() || role == Role::Part,
        };
        if good { Exit::Done } else { Exit::NotGood }
    }

    /// Creates the host of a suite, which draws samples unless the user wants none.
    fn build_host(&self, path: &str) -> Disk {
        let disk = Disk::new(path);
        if self.args.no_draw || self.args.draw == 0 {
            return disk;
        }
        disk.with_observer(build_net(path, self.args.draw))
    }

    fn record_compiled(&mut self, compiled: &Compiled) {
        self.checked += 1;
        self.verdict.add_suite(compiled);
        self.drawn.add_suite(compiled.drawn.clone().unwrap_or_default());
        let own = compiled.sources.iter().filter(|(_, source)| !source.library);
        self.used.extend(own.map(|(_, source)| source.path.clone()));
    }

    fn report_diagnostics(&mut self, compiled: &Compiled, role: Role) {
        let (diagnostics, sources): (&[Diagnostic], &Sources) = (&compiled.diagnostics, &compiled.sources);
        let seen = &mut self.seen;
        let shown: Vec<&Diagnostic> = diagnostics
            .iter()
            .filter(|said| !(role == Role::Part && is_missing_suite(compiled, said)))
            .filter(|said| {
                let span = said.primary.span;
                let path = sources.get(span.file).map_or("", |source| source.path.as_str());
                seen.insert((path.to_owned(), span.start, span.end, said.code.id, said.message.clone()))
            })
            .collect();
        let Check { args, console, data, report, tally, .. } = self;
        match args.format {
            Format::Human => console.print_block(&render::human::render_all(&shown, sources, console, tally)),
            Format::Short => {
                data.push_str(&escape_for_terminal(&render::short::render_all(&shown, sources, tally), Style::Plain))
            }
            Format::Json => data.push_str(&render::json::render_all(&shown, sources, tally)),
            Format::Sarif => report.add_diagnostics(&shown, sources, tally),
            Format::Github => data.push_str(&render::github::render_all(&shown, sources, tally)),
        }
    }
}

/// The files that fixes change, for all suites.
#[derive(Default)]
struct Fixes {
    texts: Texts,
    done: usize,
}

impl Fixes {
    /// Writes the files, or shows the changes.
    fn write_fixes(&self, args: &Args, console: &Console, data: &mut String) -> Exit {
        let (mut exit, mut files) = (Exit::Done, 0);
        for (place, changed) in self.texts.iter_changed() {
            files += 1;
            if args.diff {
                data.push_str(&fix::render_unified_diff(&changed.path, &changed.before, &changed.after));
                continue;
            }
            if let Err(refusal) = fix::replace_text(place, &changed.before, &changed.after) {
                exit = refusal.into_error(&changed.path, "checked").report_to(console);
            }
        }
        if exit == Exit::Done {
            let (done, es) = (self.done, if self.done == 1 { "" } else { "es" });
            let nothing = if args.diff { ", nothing written" } else { "" };
            console.print_message(&format!("{done} fix{es} in {}{nothing}", format_count(files, "file")));
        }
        exit
    }
}

fn is_part(path: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|text| has_only_declarations(&text))
}

/// Whether a source contains only declarations for suites: it has items, but neither a suite nor a task.
pub(crate) fn has_only_declarations(text: &str) -> bool {
    let (file, _) = parse_source(text, SourceId(0));
    !file.items.is_empty() && file.items.iter().all(|item| !matches!(item.kind, ItemKind::Suite(_) | ItemKind::Task(_)))
}

/// Whether this diagnostic reports that the file does not declare a suite.
pub(crate) fn is_missing_suite(compiled: &Compiled, said: &Diagnostic) -> bool {
    compiled.hir.is_none() && said.code == Code::MISSING_PART && said.primary.span.end == 0
}

fn has_warning(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|said| said.severity() == Severity::Warning)
}
