## The household: members and notifications.

household-name = Name of the household
household-name-example = The Tanakas
household-zone = Time zone
household-zone-hint = Where your days begin and end: what is “today” for expiry dates.
household-currency = Currency
household-currency-hint = What prices are in. Another currency does not convert them.
household-auto-list = Put what runs low on the shopping list
household-auto-list-hint = For products with “Warn below” and “Quantity to have”. Each can be left out on its own page.
household-settings = Settings of the household
household-more = More about the household
household-sensor-keys = Device keys
notice-household-saved = Saved.

members-title = Members
members-you = (you)
members-admin = Admin
members-member = Member
members-since = since { $day }
members-make-admin = Make admin
members-make-member = Make member
members-remove = Remove
members-remove-sure = Take { $name } out of the household? They keep their account, but see nothing of the household any more.
notice-role-changed = The role is changed.
notice-member-removed = They are not a member any more.

invite-title = Invite the family
invite-how = Let them scan the QR code, send the link, or tell them the code. Whoever has it can join.
invite-code = Invite code
invite-link = Link
invite-qr = QR code of the invitation’s link
invite-copy = Copy the link
invite-share = Share
invite-share-text = Join our household in Larder
invite-replace-why = Did the code get into the wrong hands? A new one makes the old code, link and picture useless.
invite-replace = Make a new code
invite-replace-sure = Make a new invite code? The old code and its link stop working at once.
notice-invite-replaced = There is a new code. The old one does not work any more.

leave-title = Leave the household
leave-what = You keep your account, but see nothing of the household any more. What you have added to it stays.
leave-only-admin = You are the only admin, and a household keeps at least one. To leave, make somebody else admin first.
leave-action = Leave
leave-sure = Leave the household?
leave-alone = You are the only member. If you leave, the household goes, too: delete it.
erase-household = Delete the household
erase-household-title = { $name }
erase-household-what = Everything in it goes, for good: what is in stock, the shopping list, tags, sensors with their readings, things, and all history. Nobody can bring it back. Your account and your personal items stay.
erase-household-others = { $count ->
    [one] One other member loses it, too.
   *[other] { $count } other members lose it, too.
  }
erase-export-first = Keep a copy first, if you may want to look something up later.
erase-household-type = To go on, type the name of the household: { $name }
erase-household-action = Delete it for good
erase-household-keep-stock = Keep the stock as my own

## Storage locations and shops.

places-title = Shops and storage
places-change = Change shops and storage
places-stores = Shops
places-stores-none = Name the shops where you buy: the shopping list sorts itself by them.
places-stores-order = The shopping list shows them in this order.
places-store-up = { $name } up
places-store-down = { $name } down
places-store-add = Add a shop
places-store-name = Shop
places-store-address = Address (optional)
places-store-delete-sure = Delete this shop? What was bought there has no preferred shop any more.
places-locations = Storage locations
places-given = Everybody has these:
places-locations-none = Add your own: a cellar, a second freezer, the cupboard in the hall.
places-location-add = Add a storage location
places-location-name = Storage location
places-location-delete-sure = Delete this storage location? What was kept there has none any more.
places-device = Sensor { $device }
notice-place-added = Added.
notice-place-saved = Saved.
notice-place-deleted = Deleted.

## Notifications.

notifications-none = Nothing to worry about
notifications-none-what = When something runs low or expires soon, you read it here. Give items an expiry date, and a quantity below which they are low.
notifications-nothing-new = Nothing new
notifications-still = In stock at the moment:
notifications-low = Low
notifications-soon = Expiring soon
notifications-expired = Expired
notifications-low-what = { $left } left, at least { $wanted } wanted
notifications-used-up-what = Used up, at least { $wanted } wanted
notifications-soon-what = Good until { $day }
notifications-expired-what = Was good until { $day }
notifications-ended = resolved { $ago }
notifications-see = Mark as read
notifications-see-all = Mark all as read
notifications-seen = Read
notifications-over = Resolved
notifications-over-what = What is resolved is kept for 30 days.
notice-notification-seen = Marked as read.
notice-notifications-seen = All marked as read.
channels-title = Other channels
channels-here = Here, on every device where you are logged in, as it happens.
channels-mail = By mail: each member who has confirmed their address gets one for every new notification, up to a daily limit.
channels-webhook = By a call to another program that whoever runs this server has set up (webhook).
channels-none = Nowhere else so far. Whoever runs this server can set up mail, or a call to another program (webhook).

## Demo data.

demo-offer = Try it with demo data
demo-offer-what = Some 20 items, a shopping list for three shops and a few things, to look around with. All of it goes with one click, and nothing of yours with it.
demo-add = Add the demo data
demo-there = This household has demo data
demo-there-what = Look around, change what you like. When you have seen enough, it goes with one click; what you have made yourself stays.
demo-remove = Remove the demo data
demo-remove-sure = Remove the demo data, with all changes that were made to it? What you have made yourself stays.
notice-demo-added = The demo data is there. Look around!
notice-demo-removed = The demo data is gone.
