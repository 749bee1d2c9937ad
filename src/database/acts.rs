//! What the audit trail knows of: each deed has a name for programs, and words for people.

/// Declares the deeds: variant, name for programs, words for people.
macro_rules! acts {
    ($($variant:ident $name:literal $words:literal;)*) => {
        /// What somebody did, as the audit trail has it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Act {
            $(#[doc = concat!("Somebody ", $words, ".")] $variant,)*
        }

        impl Act {
            /// All there are.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name, for programs. It never changes.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What was done, in words that follow a name.
            pub fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }
        }
    };
}

acts! {
    // Who comes in.
    MadeFirstAccount "made_first_account" "made the first account";
    SignedIn "signed_in" "signed in";
    FailedSignIn "failed_sign_in" "tried to sign in with a wrong password";
    SignedOut "signed_out" "signed out";
    ConfirmedPassword "confirmed_password" "entered their password again";
    Refused "refused" "was refused";
    // Accounts and keys.
    ChosePassword "chose_password" "chose a password";
    ChangedPassword "changed_password" "changed their password";
    AddedAccount "added_account" "added an account";
    ChangedAccount "changed_account" "changed an account";
    MadePasswordLink "made_password_link" "made a link to choose a password";
    MadeKey "made_key" "made an API key";
    RemovedKey "removed_key" "removed an API key";
    LinkedAccount "linked_account" "linked an account from elsewhere";
    CameFromElsewhere "came_from_elsewhere" "came with an account from elsewhere";
    RoleByProvider "role_by_provider" "has another role, by the provider";
    // Openings and blueprints.
    MadeOpening "made_opening" "made an opening";
    ChangedOpening "changed_opening" "changed an opening";
    SetOpeningState "set_opening_state" "opened or closed an opening";
    TriedOpening "tried_opening" "tried an opening";
    Simulated "simulated" "ran with a simulated candidate";
    KeptQuestion "kept_question" "kept a question with a reason";
    ChangedBlueprint "changed_blueprint" "changed a blueprint";
    TookBlueprintBack "took_blueprint_back" "took a blueprint back";
    CopiedBlueprint "copied_blueprint" "copied a blueprint";
    // Interviews.
    Invited "invited" "invited";
    InvitedAgain "invited_again" "invited once more";
    Launched "launched" "launched an interview";
    SentInvitation "sent_invitation" "sent an invitation by mail";
    ProposedTime "proposed_time" "proposed a time";
    TookTimeBack "took_time_back" "took a proposed time back";
    MadeLink "made_link" "made a new link";
    TookInvitationBack "took_invitation_back" "took an invitation back";
    ListenedIn "listened_in" "listened in";
    SuggestedQuestion "suggested_question" "suggested a question";
    EndedInterview "ended_interview" "ended an interview";
    WroteNote "wrote_note" "wrote a note";
    Decided "decided" "decided";
    GaveLevel "gave_level" "gave a level";
    RemovedInterview "removed_interview" "removed an interview";
    // What was read of people.
    ReadInterview "read_interview" "read a transcript";
    ReadReport "read_report" "read a report";
    ReadSummary "read_summary" "read a summary";
    HeardRecording "heard_recording" "heard a recording";
    Exported "exported" "exported a file";
    ReadByMcp "read_by_mcp" "read by MCP";
    MadeReport "made_report" "had a report made anew";
    SharedReport "shared_report" "shared a report";
    TookShareBack "took_share_back" "took a link to a report back";
    // What candidates say.
    AskedDeletion "asked_deletion" "asked for their interview to be deleted";
    AskedReview "asked_review" "asked for a person to look at it";
    Corrected "corrected" "corrected the transcript";
    GaveFeedback "gave_feedback" "said what they thought of the interview";
    Commented "commented" "commented on what was noted";
    // Other programs.
    AddedWebhook "added_webhook" "added a webhook";
    ChangedWebhook "changed_webhook" "changed a webhook";
    RemovedWebhook "removed_webhook" "removed a webhook";
    TestedWebhook "tested_webhook" "tested a webhook";
    SentAgain "sent_again" "sent a message again";
    CouldNotRead "could_not_read" "could not read an answer";
    // The trail itself.
    ExportedTrail "exported_trail" "exported the audit trail";
    ForgotDeeds "forgot_deeds" "removed the oldest entries of the audit trail";
}

impl Act {
    /// The deed of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|act| act.name() == name)
    }

    /// The deed of its words: entries from before the names have nothing else.
    pub fn of_words(words: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|act| act.words() == words)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Names and words tell deeds apart, both ways.
    #[test]
    fn each_deed_has_a_name_and_words_of_its_own() {
        let names: BTreeSet<_> = Act::ALL.iter().map(|act| act.name()).collect();
        let words: BTreeSet<_> = Act::ALL.iter().map(|act| act.words()).collect();
        assert_eq!((names.len(), words.len()), (Act::ALL.len(), Act::ALL.len()));
        for act in Act::ALL {
            assert_eq!(Act::of_name(act.name()), Some(*act));
            assert_eq!(Act::of_words(act.words()), Some(*act));
        }
    }
}
