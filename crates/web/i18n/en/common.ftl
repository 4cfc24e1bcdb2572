## The layout of every page.

skip-to-content = Skip to the content
nav-sections = Menu
nav-household-and-me = Household and me
nav-today = Today
nav-stock = Stock
nav-shopping = Shopping
nav-tags = Tags
nav-sensors = Sensors
nav-things = Things
nav-household = Household
nav-notifications = Notifications
nav-unseen = { $count } new
status-offline = No signal: nothing was saved. Please try again when you are back online.
status-failed = That did not work. Please try again.
link-loopback = Phones cannot open this address: it works only on the computer that Larder runs on. Open Larder by the address that this computer has in your network, or start it with --public-url, and come back to this page.

## Words that many pages use.

action-save = Save
action-cancel = Cancel
action-add = Add
action-delete = Delete
action-edit = Edit
action-back = Back
action-more = Show more
action-search = Search
action-copy = Copy
action-copied = Copied
action-print = Print
add-refused = Not added; press to fix it:
action-dismiss = Dismiss
field-name = Name
field-notes = Notes
field-quantity = Quantity
field-unit = Unit
ago-now = just now
ago-minutes = { $count ->
    [one] { $count } minute ago
   *[other] { $count } minutes ago
}
ago-hours = { $count ->
    [one] { $count } hour ago
   *[other] { $count } hours ago
}
count-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
ago-days = { $count ->
    [one] { $count } day ago
   *[other] { $count } days ago
}

## Errors, and what to do about them.

failure-title = That did not work
failure-missing-title = Page not found
failure-home = Back to the start
failure-not-found = There is nothing here. It may have been deleted, or it was never yours to see.
failure-forged = This form is too old, or came from another site, so nothing was changed. Please reload the page and try again.
failure-malformed = The form cannot be read, so nothing was changed. Please reload the page and try again.
failure-too-large = That is more than fits into one form. Nothing was changed.
failure-again = Try again
failure-invalid = Please check “{ $field }”. { $rule } Nothing was changed.
failure-too-often = That was tried too often. Please wait a minute.
failure-credentials = Email or password is wrong.
failure-email-taken = There is an account with this email already. Log in instead.
failure-admin-required = Only an admin of the household may do this. Ask one of them.
failure-already-in-household = You belong to a household already. Leave it first: a person belongs to one at a time.
failure-mail-unavailable = No mail can be sent at the moment. Please try again later.
failure-registration-closed = This does not work without a current invitation. Ask an admin of your household for a new one.
failure-invite-not-found = No household has this invite code. Ask for the current one: an old one stops working.
failure-name-not-confirmed = That is not the name of the household. Nothing was deleted.
failure-last-admin = A household keeps at least one admin. Make somebody else admin first.
failure-name-taken = Another one has this name. Choose a different one.
failure-unit-mismatch = The same thing is there in a unit that does not convert. Use that unit, or another name.
failure-lots-unit = No lot is in a unit that converts. Take from the lot itself.
failure-lots-exact = A lot in a larger unit cannot hold the rest exactly. Please take a rounder amount.
failure-duplicate-product = Something else has this name already.
failure-barcode-taken = Something else has this barcode already.
failure-too-many-barcodes = One product can have at most 20 barcodes.
failure-product-has-lots = There are still lots of it. Delete them first.
failure-not-enough = There is less of it than that.
failure-too-many-lots = That is too much at once. Please take less at a time.
failure-too-many-tokens = You have 50 tokens for programs. Revoke one that no program uses any more.
failure-quota-exceeded = There are too many of these already. Delete some that you no longer need.
failure-image-refused = The picture was not accepted. Choose a complete JPEG, PNG or WebP of at most 25 megapixels.
failure-duplicate-item = Another item has this name and date.
failure-duplicate-shopping = It is on the list already.
failure-quantity-overflow = That is more than an item can hold (99,999,999.99).
failure-nothing-to-undo = The last change cannot be undone.
failure-changed-meanwhile = Somebody else has changed this in the meantime. Reload the page to see it as it is now.
failure-cycle = A thing cannot be inside itself, nor inside something that is inside it.
failure-unique-taken = Another thing has this value already, and it may be there only once.
failure-reserved-type = Larder keeps this type for itself. Choose another.
failure-schema-too-new = A newer version of Larder has written this. Update this one to change it.
failure-tag-gone = This tag was replaced, or its item deleted.
failure-choice-gone = What you chose is not there any more. Reload the page and choose again.
failure-internal = Something went wrong on our side. It was noted; please try again.
failure-unavailable = Larder cannot reach its store right now. Please try again in a moment.

## Rules of fields.

rule-unstated = Please check what is in it.
rule-missing = Please fill this in.
rule-too-short = At least { $count } characters, please.
rule-too-long = At most { $count } characters, please.
rule-password-common = Many people use it, so it is tried first. Three or four unrelated words are better.
rule-password-personal = It can be guessed from your name or email address.
rule-password-word = A single word or name is easily guessed. Add one or two unrelated words.
rule-password-repetition = It repeats itself, which is easily guessed.
rule-password-sequence = Its characters follow each other in the alphabet or on the keyboard, which is easily guessed.
rule-password-date = A date is easily guessed.
rule-password-short = It is easily guessed. Add one or two unrelated words.
rule-text = Between 1 and { $count } characters, please.
rule-invisible = It contains a character that nobody can see ({ $code }). Please type it instead of pasting it.
rule-control = It contains characters that cannot be shown. Please type it again.
rule-url = Please give an address that begins with http:// or https://.
rule-email = Please give an email address, such as anna@example.org.
rule-date = Please give a date between 1900 and 2100, such as 2027-02-28.
rule-span = The first day must not be after the last, and not too long before it.
rule-choice = Please choose one from the list.
rule-number = Please write a number, such as 2 or 1.5.
rule-separators = That could mean two different numbers. Please write it without separators for thousands and with at most two decimals, such as 1500 or 1.5.
rule-negative = Please write a number that is not below 0.
rule-zero = Please write a number other than 0.
rule-too-precise = At most two decimals, please, such as 1.25.
rule-too-large = At most 99,999,999.99, please.
rule-whole = Please write a whole number between { $least } and { $most }.
rule-step = Please write a number over 0, and at most 1000.
rule-property = Please begin with a letter; letters, digits and _ may follow.
rule-scanned-code = This is not a barcode, or a digit is wrong. Please check the number under the bars.
rule-urn = Please give the whole name, which begins with urn:.
rule-barcode = Please write 8, 12, 13 or 14 digits, one barcode on each line.
rule-check-digit = One of the barcodes is mistyped: its last digit does not fit the others. Please check it.
rule-repeated = The same is there twice. Please leave one out.
rule-too-many = At most { $count }, please.
rule-data = This is not valid JSON.
rule-nothing = Please choose at least one.
