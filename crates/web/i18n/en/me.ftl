## The logged-in user.

me-title = Me
me-choices = Language and appearance
me-language = Language
me-theme = Appearance
me-theme-auto = System
me-theme-light = Light
me-theme-dark = Dark
me-choices-hint = For this browser. Others in the household choose for themselves.
me-account = Account
me-name = Your name
me-zone-hint = For your own stock. A household has its own time zone.
notice-me-zone-changed = Your time zone is changed.
me-password-change = Change the password
me-password-current = Current password
me-password-new = New password
me-password-hint = At least 8 characters. All other logins end and all tokens for programs are revoked, in case somebody else knew the old one.
me-sessions = Where you are logged in
me-sessions-end = Log out everywhere else
me-sessions-end-sure = End all other logins, of browsers and of programs?
me-session-browser = Browser
me-session-program = Program
me-session-this = This device
me-session-now = In use now
me-session-used = Used { $ago }
me-session-began = since { $day }
me-session-end = Log out
me-programs = Tokens for programs
me-programs-what = A script or another program sends a token with each request. It can do what you can do, as far as you allow it here, but never change your password or make tokens.
me-token-label = Name
me-token-example = e.g. kitchen display
me-token-scope = What may it do?
me-scope-read = Read everything that you can see, and change nothing
me-scope-stock = Change the stock: items, products, photos, barcodes, storage locations, and notifications
me-scope-shopping = Change the shopping list and shops, and put things away
me-scope-devices = Change devices and their keys
me-scope-things = Change things and who may do what with them
me-scope-admin = Change the household, its members, invitations and tags, and your own settings
me-token-expiry = How long is it good?
me-token-days = { $days } days
me-token-make = Make a token
me-token-once = This token is shown only now. Whoever has it can do what you allowed: keep it like a password.
me-token-new = The new token
me-token-use = How to use it
me-token-used = Used { $ago }
me-token-unused = Never used
me-token-until = until { $day }
me-token-endless = until you revoke it
me-token-expired = Expired
me-token-revoke = Revoke
me-token-revoke-sure = Revoke this token? The program that uses it stops working.
me-docs = API documentation
me-sensor-keys = Device keys
me-export = Export
me-export-what = Everything that you may see, your own and the household's, with its history, in one JSON Lines file: yours to keep, or to take elsewhere.
me-export-action = Download everything
me-export-readings = Readings of sensors, as CSV
me-log-out = Log out
me-log-out-waiting = Changes to the shopping list are waiting for a signal, and logging out here drops them. Log out anyway?
erase-account = Delete my account
erase-account-what = Your name, your address, your logins and everything that is yours alone go, for good. Nobody can bring it back.
erase-account-home-too = You are the only member of your household, so it goes as well, with everything in it.
erase-account-leaves = You leave your household. What you did there stays in its history, without your name.
erase-account-sign-on = To go on, log in once more with { $name }
erase-account-email = To go on, type your email address
erase-account-action = Delete my account for good
erase-progress-title = Deleting
erase-progress-household = The household is being deleted
erase-progress-household-done = The household is deleted
erase-progress-begun = { $count ->
    [0] It has begun.
    [one] One record is gone so far.
   *[other] { $count } records are gone so far.
  }
erase-progress-done = { $count ->
    [one] Done: one record is gone.
   *[other] Done: { $count } records are gone, and nothing is left.
  }
erase-progress-hint = This goes on by itself, and ends with one more look. You can leave this page.
erase-go-on = Found or join another household
notice-account-erased = Your account is deleted. Thank you for having been here.
notice-me-renamed = Your name was changed.
notice-me-password-changed = The password was changed. All other logins have ended, and tokens for programs were revoked.
notice-me-token-revoked = The token does not work any more.
notice-me-session-ended = That login has ended.
notice-me-sessions-ended = All other logins have ended.

identity-title = Log in with { $name }
identity-offer = Connect your account with the one that you have at { $name }, and you can log in with either.
identity-connect = Connect { $name }
identity-is-connected = Your account is connected.
identity-only-way = Your account is connected, and this is its only way to log in. It can be disconnected once it has a password.
identity-disconnect = Disconnect
identity-disconnect-sure = Log in with your password from now on?
identity-confirm-who = You have logged in with { $name } as { $who }.
identity-confirm-what = Whoever can log in there can open the account { $email } here from now on.
identity-confirm = Connect
notice-identity-connected = Your account is connected. You can log in with either from now on.
notice-identity-disconnected = Your account was disconnected. Log in with your password from now on.
notice-identity-needed = Your account has no password yet, so it stays connected.

confirm-title = Confirm your email address
confirm-offer = Notifications by mail go only to addresses that are confirmed, and { $email } is not yet. We send a mail there with a link.
confirm-ask = Send me the mail
confirm-what = Press the button to get notifications by mail at this address.
confirm-action = Confirm
confirm-done = Thank you. Your address is confirmed.
confirm-go = Go to Larder
confirm-refused = This link does not work any more. Ask for a new one on your page.
notice-confirm-sent = The mail is on its way. Open its link within two days.
notice-confirm-already = Your address is confirmed already.
notice-confirm-too-many = Enough mails went to your address today. Please look for them, or try again tomorrow.
