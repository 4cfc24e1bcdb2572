//! From a token to a caller with their current membership.

use larder_domain::{Currency, SessionKind, TokenNeed, User, UserId, Zone};
use larder_storage::{Admission, CreateUser, Lookup, NewUser, ReadAt, Session, Write};

use crate::{
    App, AppError, Caller, FleetCaller, Result, authorize,
    tokens::{InvalidToken, ProgramTokenText, Proof, TokenOwner, VouchedFor},
};

impl App {
    /// The user of this token, with their membership according to the store, not to the token. What
    /// the request needs counts for tokens of programs: everybody else has logged in.
    pub async fn authenticate(&self, bearer: &str, need: TokenNeed) -> Result<Caller> {
        match self.authenticate_for_fleet(bearer, need).await? {
            FleetCaller::Person(caller) => Ok(caller),
            FleetCaller::Operator(_) => Err(AppError::OperatorNotAllowed),
        }
    }

    /// The same, also accepting the operator.
    pub async fn authenticate_for_fleet(
        &self,
        bearer: &str,
        need: TokenNeed,
    ) -> Result<FleetCaller> {
        if let Some(token) = ProgramTokenText::parse(bearer) {
            return self.program_with(&token, need).await.map(FleetCaller::Person);
        }
        let user = match self.tokens.verify(bearer, self.now()).await {
            Ok(Proof::Own(owner)) => self.user_in_session(owner).await?,
            Ok(Proof::External(person)) => self.user_of(person).await?,
            Err(InvalidToken) => {
                let operator = self.operator_with(bearer).ok_or(AppError::Unauthenticated)?;
                return Ok(FleetCaller::Operator(operator));
            }
        };
        self.caller(user).await.map(FleetCaller::Person)
    }

    /// The user of one of our access tokens. It dies with its session: at once if that ended here,
    /// within ten seconds if it ended on another server.
    async fn user_in_session(&self, owner: TokenOwner) -> Result<UserId> {
        let now = self.now();
        let is_valid = |session: &Session| {
            session.kind == SessionKind::Tokens
                && session.user == owner.user
                && session.expires_at > now
        };
        let session = self.session_if(owner.user, owner.session, is_valid).await?;
        Ok(session.ok_or(AppError::Unauthenticated)?.user)
    }

    pub(super) async fn caller(&self, user: UserId) -> Result<Caller> {
        match self.callers.look_up(&user, ReadAt(self.now())) {
            Lookup::Hit(caller) => Ok(caller),
            Lookup::Miss(ticket) => {
                let (user, has_moved) = self.load(user).await?;
                let (zone, currency) = self.zone_and_currency(&user).await?;
                if let Some(scope) = authorize::member_of(&user).filter(|_| has_moved) {
                    self.settle_after_move(scope.household(), zone.clone());
                }
                let caller = Caller::new(user, zone, currency);
                if !caller.user().is_moving_items {
                    self.callers.insert(ticket, caller.user_id(), caller.clone());
                }
                Ok(caller)
            }
        }
    }

    /// The user, after finishing the move of their items if it was interrupted (then `true`).
    async fn load(&self, id: UserId) -> Result<(User, bool)> {
        let user = self.storage.find_user(id).await?.ok_or(AppError::Unauthenticated)?;
        match authorize::member_of(&user) {
            Some(scope) if user.is_moving_items => {
                let report = self.storage.move_personal_items(scope, Write::at(self.now())).await?;
                tracing::info!(user = %id, ?report, "finished moving items into the household");
                let user = self.storage.find_user(id).await?.ok_or(AppError::Unauthenticated)?;
                Ok((user, true))
            }
            _ => Ok((user, false)),
        }
    }

    async fn zone_and_currency(&self, user: &User) -> Result<(Zone, Currency)> {
        let Some(scope) = authorize::member_of(user) else {
            return Ok((user.zone.clone().unwrap_or_default(), Currency::default()));
        };
        match self.storage.find_household(scope).await? {
            Some(household) => Ok((household.zone, household.currency)),
            None => Err(AppError::Defect(format!(
                "{} belongs to {}, which does not exist",
                user.id,
                scope.household()
            ))),
        }
    }

    /// The account of a user of the external issuer; created at their first login.
    pub(crate) async fn user_of(&self, person: VouchedFor) -> Result<UserId> {
        if let Some(user) = self.storage.find_user_by_identity(&person.identity).await? {
            return Ok(user);
        }
        let account = NewUser {
            id: self.entropy.id(),
            name: person.name().ok_or(AppError::IdentityWithoutEmail)?,
            email: person.email.ok_or(AppError::IdentityWithoutEmail)?,
            password_hash: None,
            identity: Some(person.identity.clone()),
            // The issuer decides who may register, whatever our setting.
            admission: Admission::Anyone,
        };
        match self.storage.create_user(&account, self.now()).await? {
            CreateUser::Created => Ok(account.id),
            CreateUser::NotAdmitted => {
                Err(AppError::Defect("an admission without a condition was refused".into()))
            }
            // Two first requests at once: the other one made the account, with the same address.
            CreateUser::EmailTaken | CreateUser::IdentityTaken => self
                .storage
                .find_user_by_identity(&person.identity)
                .await?
                .ok_or(AppError::IdentityConflict),
        }
    }
}
