
ŒEvery address is a multiple of its own alignment; one above the page and one that is no power of two are among them. 256 bytes, then a page.–“
main
x (€ 
y (€ 
small (€
page (€ 
a64 (è8@
a64k (ˆ'8€€
a12288 (¨F8€`

last (ž
entry#make
small
page
a64"
x(more
a64k
a12288"
small"
a64'mix
last"
page"
a64k"
a12288store
y"
last"
small