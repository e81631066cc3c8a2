
·main calls layer twice, layer calls kernel: callees are placed first, each above the ones before it. What a CALL accesses lives as one closed range; G has a hole that the calls close.¥€
main
x (€ 
y (€ 
a (€@
b (€@
g (€ 
t (€ »
entrymake_a
a"
xmake_g
g"
xfirst
b"
a"
g*layerbetween
t"
buse_t"
tagain
g"
b second
a"
b"
g*layerstore
y"
aŽ
layer	
in (€@

out (€@
h (€`
k (€ Z
entrymake_h
h"
in!call_kernel
k"
h*kernelfinish
out"
h"
kŽ
kernel	
in (€`

out (€ 
tile0 (€ 
tile1 (€ Q
entryload
tile0"
instep
tile1"
tile0store
out"
tile1