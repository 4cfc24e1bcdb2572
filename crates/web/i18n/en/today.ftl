## Today, the first page.

today-due = Expires
today-nothing-due = Nothing expires within three days.
today-nothing-in-stock = Here you see what expires soon, as soon as you have added what you have at home.
today-low = Low
today-nothing-low = Nothing is low. Larder tells you when something falls below the amount that its product page says.
today-nothing-to-buy = The shopping list is empty.
today-comma = ,{" "}
today-silent = { $count } silent
today-no-sensors = No sensors yet. A sensor in the freezer tells you here when it falls silent.
today-all-well = All of them are well.
today-activity = What the others did
today-quiet = Nothing yet. What the others in your household do shows here.
today-added = { $name } added: { $amount }
today-opened = { $name } opened: { $amount }
today-changed = { $name } changed
today-deleted = { $name } deleted
today-listed = { $name } put on the shopping list
today-unlisted = { $name } taken off the shopping list
today-bought = { $name } bought
today-list-changed = { $name } changed on the shopping list
today-joined = { $name } joined
today-left = { $name } left
