//! Tokens for programs.

use larder_domain::{ProgramTokenId, TokenName, TokenScope, TokenScopes};
use larder_storage::{CreateProgramToken, ProgramToken, ProgramTokens};

use crate::family::{Family, MIA};

const FIRST: ProgramTokenId = ProgramTokenId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0002);
const SECOND: ProgramTokenId = ProgramTokenId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0003);

pub(crate) async fn measure(family: &Family) {
    let at = family.write().at;
    let token = |id| ProgramToken {
        id,
        user: MIA,
        name: TokenName::parse("a script").unwrap(),
        scopes: TokenScopes::of([TokenScope::Read]).unwrap(),
        token_hash: "1".repeat(64),
        created_at: at,
        last_used_at: None,
        expires_at: None,
    };
    for (label, id) in [("make the first token", FIRST), ("make another token", SECOND)] {
        let token = token(id);
        let made = family
            .measure(label, "create_program_token", async |store| {
                store.create_program_token(&token, 50).await
            })
            .await;
        assert_eq!(made, CreateProgramToken::Created);
    }
    let found = family
        .measure("recognise a token", "find_program_token", async |store| {
            store.find_program_token(MIA, FIRST).await
        })
        .await;
    assert_eq!(found, Some(token(FIRST)));
    let listed = family
        .measure("list one's two tokens", "list_program_tokens", async |store| {
            store.list_program_tokens(MIA, None, 50).await
        })
        .await;
    assert_eq!(listed.items, [token(SECOND), token(FIRST)]);
    family
        .measure("note the use of a token", "note_program_token_use", async |store| {
            store.note_program_token_use(MIA, FIRST, at).await
        })
        .await;
    let revoked = family
        .measure("revoke a token", "revoke_program_token", async |store| {
            store.revoke_program_token(MIA, FIRST, at).await
        })
        .await;
    assert!(revoked);
}
