
iT is read twice and lives to the second read; D is never read and occupies its own instruction, beside E.¶³
main
x (€ 
y (€ 
t (€@
u (€ 
d (€ 
e (€ o
entrymake_t
t"
x
first_read
u"
ttwo_results
d
e"
usecond_read
y"
t"
e