
9--link-mode=post --size-rounding=none --emission=per-edge§¤
main

p (È@d
x (€ 
y (€ 
t (€ 
u (€@h
entrymake_p
p"
xmake_t
t"
xuse_t"
tmake_u
u"
xlast
y"
u"
p