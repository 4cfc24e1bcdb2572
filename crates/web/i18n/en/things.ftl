## Things: content, parents and groups.

things-search = Name or number
things-by-kind = Kinds of things
things-everything = Everything
things-none-found = Nothing is called that, and nothing has that number.
things-empty-title = Nothing here yet
things-empty-text = Write down what you own and where it is: a house has rooms, a room has shelves, a shelf has boxes. Begin with the largest, such as your home.
things-add = Add a thing
things-add-inside = Put something new inside
things-field-kind = Kind
things-kind-hint = Such as room, shelf, box or tool, or a word of your own. Things of one kind are found together.
things-more-to-say = Details
things-field-attribute = What
things-field-shape = Written as
things-field-value = Value
things-field-attributes = Details
things-new-attribute = Another detail
things-shape-text = Text
things-shape-number = Number
things-shape-data = Data (JSON)
things-yes = Yes
things-no = No
things-reserved-name = “{ $name }” cannot be used here: Larder keeps such words for itself. Nothing was changed.
things-name-twice = “{ $name }” is there twice. Nothing was changed.
things-inside = { $count } inside
things-inside-more = { $count }+ inside
things-all-inside = Show all that is inside
things-unfold = What is inside { $title }
things-drop-at-top = Drop here to move it to the top level
things-in = in { $place }
things-from-start = From the start
things-where = Where it is
things-what-is-inside = What is inside
things-about = About it
things-more = More
things-changed = Changed { $ago }
things-of-others = This belongs to another household, which lets you use it.
things-move = Move
things-edit-title = Change { $title }
things-remove-title = Remove { $title }
things-conflict = Somebody else has changed this while you were writing. Nothing of yours is saved yet. Here is both; below is yours, together with what others have added.
things-conflict-mine = Yours
things-conflict-theirs = Theirs
things-keep-theirs = Keep theirs
things-save-mine = Save mine

things-numbers = Unique numbers
things-numbers-hint = A serial number or barcode: no other thing of this kind can have the same one.
things-add-number = Add a number
things-field-property = What kind of number
things-property-hint = Such as serial number or barcode. Letters a to z.
things-field-number = The number
things-exact = Capital and small letters make a difference
things-taken-by = “{ $title }” has “{ $value }” already, and only one thing can have it. Nothing was changed.
things-taken-elsewhere = A thing of somebody else has “{ $value }” already, and only one can have it. Nothing was changed.

things-groups = Groups
things-groups-hint = A group brings together things that are in different places, such as all camping gear. They stay where they are.
things-add-to-group = Add it to a group
things-members = What belongs to it
things-add-member = Add a member
things-conveys = Whoever may use the group may use this too
things-group-title = A group for { $title }
things-group-text = Any thing can be a group. { things-groups-hint }
things-member-title = What belongs to { $title }?
things-member-text = Choose a thing. It stays where it is, and may belong to several groups.
things-move-title = Move { $title }
things-move-text = Choose what to put it into. All that is inside moves along.
things-to-the-top = Move to top level
things-choose = Choose
things-choose-title = Choose { $title }

things-grants = Who else may use it
things-grants-hint = Everybody in your household may. Here is who else may use it and all that is inside.
things-add-grant = Let somebody use it (for experts)
things-field-principal = Who, as a URN
things-principal-hint = Such as urn:pp:System.User:: followed by the id of a person in another household.
things-field-actions = They may
things-action-read = look at it
things-action-write = change it and put things inside
things-action-delete = delete it
things-action-grant = let others use it
things-action-any = do anything
things-expert = For experts
things-urn = Its name for programs (URN):

things-delete-title = Delete { $title }?
things-would-go = { $count ->
    [one] One thing would be deleted.
   *[other] { $count } things would be deleted: it, and all that is inside.
}
things-would-go-more = More than { $count } things would be deleted: it, and all that is inside.
things-would-free = { $count ->
    [one] One number could be used again.
   *[other] { $count } numbers could be used again.
}
things-would-unlink = { $count ->
    [one] One tie to a group or to somebody who may use it would end.
   *[other] { $count } ties to groups or to people who may use them would end.
}
things-groups-stay = What only belongs to it as a group stays.
things-no-undo = This cannot be undone.
things-delete-all = Delete all of this
things-what-would-go = What would be deleted
things-job-title = Deleting
things-job-begun = { $count } deleted so far.
things-job-progress = { $removed } of { $total } deleted.
things-job-hint = This goes on by itself, also when you leave this page.
things-job-done = { $count ->
    [one] Done: one thing is deleted.
   *[other] Done: { $count } things are deleted.
}
things-to-things = To your things

notice-thing-added = Added.
notice-thing-saved = Saved.
notice-thing-moved = Moved.
notice-thing-deleted = Deleted.
notice-thing-number-added = Number added.
notice-thing-number-removed = The number is free again.
notice-thing-group-changed = Done: they belong together.
notice-thing-group-left = Taken out of the group.
notice-thing-grant-added = They may use it now.
notice-thing-grant-removed = They may not use it any more.

## Common kinds.

things-kind-building = Building
things-kind-house = House
things-kind-room = Room
things-kind-furniture = Furniture
things-kind-cupboard = Cupboard
things-kind-shelf = Shelf
things-kind-drawer = Drawer
things-kind-box = Box
things-kind-bag = Bag
things-kind-appliance = Appliance
things-kind-tool = Tool
things-kind-book = Book
things-kind-clothing = Clothing
things-kind-toy = Toy
things-kind-vehicle = Vehicle
things-kind-document = Document
things-kind-group = Group
things-kind-thing = Thing
things-property-serial-number = Serial number
things-property-barcode = Barcode
things-property-registration-number = Registration number
things-property-inventory-number = Inventory number
