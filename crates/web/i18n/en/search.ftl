## Searching everything, and shortcuts.

search-everything = Search everything
search-title = Search
search-what = What are you looking for?
search-hint = Finds what is in stock, what is used up, places and things, by the beginning of any word.
search-none = No matches.
search-more = There are more. Type another letter.
search-location = Place
shortcuts-title = Keyboard shortcuts
shortcuts-search = Search
shortcuts-add = Add something
shortcuts-this = Show this page
