//! Closing a browser, and the evidence of a failed test.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, iter, thread};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::Browser;
use super::console::Console;
use super::webdriver::Session;

impl Drop for Browser {
    /// Closes the browser. Console errors fail the test here, so that no test can forget to check.
    fn drop(&mut self) {
        let evidence = thread::panicking().then(evidence_of_this_test);
        let session = self.session.again();
        // A thread of its own, because this one may be in the midst of its runtime.
        let closing = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime can be built").block_on(close(session, evidence))
        });
        let Ok(complaints) = closing.join() else {
            eprintln!("the browser could not be closed in order");
            return;
        };
        let mut console = self.console.lock().expect("nobody panics while holding the console");
        console.keep(complaints);
        let complaints = console.complaints();
        if thread::panicking() {
            eprintln!("--- console of the browser ---\n{}", complaints.join("\n"));
        } else {
            assert_eq!(complaints, Vec::<&str>::new(), "the page complained on its console");
        }
    }
}

/// The last console messages.
async fn close(session: Session, evidence: Option<PathBuf>) -> Vec<String> {
    let complaints = Console::read(&session).await;
    if let Some(evidence) = evidence {
        leave(&session, &evidence).await;
    }
    if let Err(refusal) = session.end().await {
        eprintln!("the browser does not end: {refusal}");
    }
    complaints
}

/// The names of the evidence that this process has left.
static LEFT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The path of the evidence, without file extensions.
fn evidence_of_this_test() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is below `target`");
    let thread = thread::current();
    let test =
        thread.name().unwrap_or("unnamed").trim_start_matches("browser::").replace("::", "-");
    // The second browser of a test does not write over the evidence of the first.
    let mut left = LEFT.lock().expect("nobody panics while holding the names");
    let names = iter::once(test.clone()).chain((2..).map(|number| format!("{test}-{number}")));
    let name = names.into_iter().find(|name| left.insert(name.clone())).expect("names do not end");
    target.join("browser-failures").join(name)
}

async fn leave(session: &Session, evidence: &Path) {
    let directory = evidence.parent().expect("evidence is in a directory");
    fs::create_dir_all(directory).expect("the target directory can be written to");
    let picture = session.get("screenshot").await.ok();
    let picture = picture.and_then(|picture| BASE64_STANDARD.decode(picture.as_str()?).ok());
    let source = session.get("source").await.ok();
    let source = source.and_then(|source| Some(source.as_str()?.as_bytes().to_owned()));
    for (content, ending) in [(picture, "png"), (source, "html")] {
        let file = evidence.with_extension(ending);
        match content {
            Some(content) => {
                fs::write(&file, content).expect("the target directory can be written to");
                eprintln!("what the browser showed is in {}", file.display());
            }
            None => eprintln!("the browser did not give what {} would hold", file.display()),
        }
    }
}
