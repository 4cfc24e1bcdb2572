## The first run: account, household and invitations.

home-title = Know what is at home
home-stock = Larder keeps the list of what is in the fridge, the freezer and the cupboard: what expires soon, what runs low.
home-shopping = The family shares it, and a shopping list that works in the shop without a signal.
home-yours = It runs on your own server. Nobody else looks in.

field-email = Email
field-password = Password
login-title = Log in
notice-login-ended = You were logged out in the meantime. Log in to continue; what you sent last may not be saved.
login-action = Log in
login-no-account = New here?
login-register = Create an account

sign-on-continue = Continue with { $name }
sign-on-unreachable = { $name } does not answer at the moment. Log in with your password, or try again in a few minutes.
sign-on-address = There is an account with { $email } already. Log in to it as before; then you can connect it on your account page.
notice-sign-on-unavailable = The service that you log in with does not answer at the moment. Try again in a few minutes.
notice-sign-on-denied = The login was cancelled. Try again, or log in with your password.
notice-sign-on-outdated = That took too long, or was begun a second time. Please try again.
notice-sign-on-refused = The answer of the service that you log in with cannot be used. If it happens again, ask whoever runs this server.
notice-sign-on-no-address = The service that you log in with has no confirmed email address of yours, which an account needs. Confirm it there, then try again.
notice-sign-on-address-taken = There is an account with your email address already. Log in to it as before; then you can connect it on your account page.
notice-sign-on-taken = That login belongs to another account here.
notice-sign-on-has-another = Your account is connected with another login already. Disconnect that one first.

forgot-title = Forgot your password?
forgot-what = We send a mail with a link to your address. With it you choose a new password.
forgot-action = Send me the link
forgot-asked = If there is an account with { $email }, a mail is on its way. Open its link within 30 minutes.
forgot-no-mail = This server sends no mail. Ask whoever runs it for a new password.
reset-title = Choose a new password
reset-hint = At least 8 characters. All logins end, and you log in with the new password.
reset-action = Save
reset-refused = This link does not work any more. It is good for 30 minutes and works once.
notice-password-reset = Your password was changed. Log in with the new one.

register-title = Create an account
register-name = Your name
register-password-hint = At least 8 characters. A few words in a row are easy to remember and hard to guess.
register-action = Create the account
register-have-account = Have an account already?
register-by-invitation = You need an invitation to create an account here. Ask an admin of your household: the link and the code are on their household page.
register-closed = No new accounts can be created on this server. Ask whoever runs it.
register-code-action = Continue
register-invited = You were invited to a household. You join it as soon as you have an account.

start-title = Welcome
start-welcome = Welcome, { $name }!
start-why = A household shares its stock and its shopping list. Create one, join the one that your family has, or begin on your own.
start-found = Create a household
start-found-action = Create household
start-join = Join a household
start-join-hint = Twelve letters and digits, in either case. The whole link works as well.
start-alone = Begin on your own
start-alone-text = Without a household, the stock is yours alone, and the days are those of the time zone above. You can create or join a household later and take your stock along.
start-alone-action = Continue on my own
start-move-items = Take along the items that I made on my own

join-title = You are invited
join-stranger = Somebody wants to share the household’s stock and shopping list with you. Create an account, or log in with yours, and you are in.
join-stranger-closed = Somebody wants to share the household’s stock and shopping list with you. New accounts cannot be created here at the moment; with an account of yours you can log in and join.
join-ready = Somebody wants to share the household’s stock and shopping list with you.
join-action = Join the household
join-settled = You belong to a household already, and a person belongs to one at a time. To join this one, leave yours first, and then open the invitation again.
join-settled-stay = Stay where I am
join-settled-household = Look at my household
notice-joined = Welcome! You are a member of the household now.
notice-joined-kept = Welcome! Some of your items are still yours alone: the household has them in another unit, or has too much of them. Choose “My own” to see them; change the unit, or move them one by one.
notice-left = You have left the household.

ready-title = Your household
ready-welcome = { $name } is ready
ready-go = Start with the stock
