//! What operators read and deploy says what the program does: alerts, dashboard, manifests, the page.

use std::{collections::BTreeSet, fs, path::Path};

use tidy::source::text_files;

const DASHBOARD: &str = "config/dashboard.json";
const ALERTS: &str = "config/alerts.yml";
const MANIFESTS: &str = "config/kubernetes/vivavoce.yaml";
const PAGE: &str = "docs/operations.md";

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The words of a text that begin so.
fn words(text: &str, beginning: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c)).filter(|word| word.starts_with(beginning));
    words.map(str::to_owned).collect()
}

/// W10: alerts and dashboard ask for metrics that there are.
#[test]
fn alerts_and_dashboard_name_real_metrics() {
    let known = words(&read("docs/metrics.md"), "vivavoce_");
    for path in [ALERTS, DASHBOARD] {
        let named = words(&read(path), "vivavoce_");
        assert!(named.len() > 5, "{path}: {named:?}");
        for name in named {
            let metric = name.strip_suffix("_bucket").unwrap_or(&name);
            assert!(
                known.contains(metric),
                "{path} asks for {name}, which is not in docs/metrics.md"
            );
        }
    }
}

/// Each alert has its section, and each section of alerts has its alert.
#[test]
fn each_alert_has_a_section() {
    let alerts = read(ALERTS);
    let alerts: BTreeSet<_> =
        alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    let page = read(PAGE);
    let sections: BTreeSet<_> = page.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert!(alerts.len() > 5, "{alerts:?}");
    assert_eq!(alerts, sections);
}

/// The manifests set what is a setting, and the page speaks of none that is not.
#[test]
fn manifests_and_page_name_real_settings() {
    let defaults: toml::Table = read("config/default.toml").parse().unwrap();
    let is_setting = |section: &str, key: &str| {
        defaults.get(section).and_then(toml::Value::as_table).is_some_and(|it| it.contains_key(key))
    };
    let named = words(&read(MANIFESTS), "VIVAVOCE_");
    let mut seen = 0;
    for name in &named {
        // The ones with a well-known name of their own are in the comments of config/default.toml.
        let Some((section, key)) = name["VIVAVOCE_".len()..].split_once("__") else {
            assert!(read("config/default.toml").contains(name.as_str()), "{name}");
            continue;
        };
        seen += 1;
        assert!(is_setting(&section.to_lowercase(), &key.to_lowercase()), "{name} is no setting");
    }
    assert!(seen >= 4, "{named:?}");
    let page = read(PAGE);
    let quoted = page.split('`').skip(1).step_by(2);
    let mut settings = 0;
    for word in quoted {
        let Some((section, key)) = word.split_once('.') else { continue };
        let key = key.split(' ').next().unwrap_or_default();
        if defaults.contains_key(section) {
            settings += 1;
            assert!(is_setting(section, key), "{PAGE}: `{word}` is no setting");
        }
    }
    assert!(settings > 5, "the page names {settings} settings");
}

/// Lines of the log that the page quotes are in the source.
#[test]
fn quoted_log_lines_are_in_the_source() {
    let page = read(PAGE).replace('\n', " ");
    let quoted: Vec<_> = page
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains(' '))
        .collect();
    assert!(quoted.len() >= 5, "{quoted:?}");
    let mut source = String::new();
    for folder in ["crates", "src"] {
        text_files(Path::new(folder), &mut |_, text| source += text);
    }
    for line in quoted {
        assert!(source.contains(line), "{PAGE} quotes a line that no log has: {line}");
    }
}
