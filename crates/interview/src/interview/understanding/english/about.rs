//! Phrases that ask about the interview itself.

pub(super) const HUMAN: &str = "
    are you a|an? real|actual|human|true? \
    human|person|robot|bot|ai|machine|computer|being|chatbot|program or? a|an? \
    robot|bot|ai|machine|computer|human|person|real? person?
    are you real
    are you an? artificial intelligence
    are you human or a|an? robot|bot|ai|machine|computer
    am i talking|speaking to|with a|an? real|actual|human? \
    human|person|robot|bot|ai|machine|computer|being|chatbot
    is this a|an? real|actual|human? human|person|robot|bot|ai|machine|computer|chatbot
    who am i talking|speaking to|with
    who are you
";
pub(super) const RECORDING: &str = "
    are you recording
    are you recording this|me|that|everything|us|our interview|call|conversation|session?
    is this|it|that|the interview|call|conversation|session? being? recorded
    is anyone|somebody|someone|anybody else? listening
    am i being? recorded
    will|is|does somebody|someone|anyone|anybody else? listen|listening|hear|hearing to? this|it|that|me?
    do you record this|me|that|everything|the|our interview|call|conversation|session?
    who will|can|is|gets listen|hear|listens|listening|see|to to? this|that|it|the|my? \
    interview|recording|call|answers?
    what happens|happened to|with my|the|this|that data|recording|recordings|answers|audio|voice|interview
    will|do you keep|store|save my|the|this data|recording|answers|audio|voice
";
pub(super) const VERDICT: &str = "
    how am i doing so? far?
    how did i do so? far?
    how was i
    how was that
    how was my answer|interview|performance|introduction
    how is it going so? far?
    did i do well|okay|ok|good|fine|alright so? far?
    am i doing well|okay|ok|good|fine|alright|it right|well|good? so? far?
    did i pass the|this? interview|test|screening?
    how did that|it go
    did i answer that|it|the|your|this question? correctly|well|right|properly?
    was that|this|it okay|ok|good|right|correct|fine|enough|alright
    was that|this|it a|the good|right|correct|bad|okay|ok answer
    was my answer okay|ok|good|right|correct|fine
    is that the|a good|right|correct|okay|ok answer
    is that what you wanted|were|are looking|want|to|expected? for|hear|know?
    did i get the job
    am i hired
    do i get the job
    will i get the|this job
    do you think i did|am|will well|good|okay|pass
    what do you think of|about me|my answer|answers?
    what is my score
";
