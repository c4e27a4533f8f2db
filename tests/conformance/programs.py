#!/usr/bin/env python3
"""FOLDER: writes the programs that conform runs besides the lines of opcodes.def (tests/conformance/programs.h says how they are written).
Many instructions on one place, and each in a slot of its own: loops write them."""
import os
import sys

os.chdir(sys.argv[1])


def specials():
    names=['tid.x','tid.y','tid.z','ntid.x','ntid.y','ntid.z','ctaid.x','ctaid.y','ctaid.z','nctaid.x','nctaid.y','nctaid.z','laneid',
      'lanemask_eq','lanemask_le','lanemask_lt','lanemask_ge','lanemask_gt','dynamic_smem_size','total_smem_size','envreg1','envreg2']
    o='// Special registers, in launches of odd shapes.\n//! leaves 22: where shared memory begins\n//! slots %d\n'%(len(names)+2)
    for l in ['1,1,1 1,1,1 0','3,2,2 5,3,7 0','2,1,5 33,1,1 16','1,1,1 1024,1,1 0','4,1,1 1,7,64 1000','1,3,1 31,2,3 100','65,1,1 2,2,2 0','1,2,3 64,2,2 4096']: o+='//! launch %s\n'%l
    o+='//! body\n.shared .align 8 .b8 sh[24];\n'
    for k,n in enumerate(names): o+='mov.u32 %%r1, %%%s;\nst.global.b32 [%%out+%d], %%r1;\n'%(n,8*k)
    o+='mov.u32 %%r1, sh;\nst.shared.b32 [sh], %%r1;\nst.global.b32 [%%out+%d], %%r1;\n'%(8*len(names))
    o+='mov.u32 %%r1, %%warpid;\nmov.u32 %%r2, %%nwarpid;\nsetp.lt.u32 %%p1, %%r1, %%r2;\nselp.b32 %%r1, 1, 0, %%p1;\nst.global.b32 [%%out+%d], %%r1;\n'%(8*len(names)+8)
    open('specials.body','w').write(o)
def barriers():
    o='''// Barriers with counts and reductions, in blocks whose last warp is not full.
//! launch 2,1,1 70,1,1 0
//! launch 1,1,1 96,1,1 0
//! launch 3,1,1 33,1,1 0
//! launch 1,1,1 16,4,4 0
//! launch 1,1,1 1,1,1 0
'''
    b='''.shared .align 4 .b32 sh[1024];
mul.lo.u32 %r1, %me, 0x9e3779b1; shr.u32 %r1, %r1, 13; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;
setp.lt.u32 %p2, %me, 1000; setp.eq.u32 %p3, %me, 1000; setp.ne.u32 %p4, %me, 0;
'''
    s=0
    def st(r):
        nonlocal b,s
        b+='st.global.b32 [%%out+%d], %s;\n'%(8*s,r); s+=1
    def stp(p):
        nonlocal b
        b+='selp.b32 %%r9, 1, 0, %s;\n'%p; st('%r9')
    for form in ['bar.red','bar.cta.red','barrier.red','barrier.cta.red','barrier.red.aligned' if 0 else 'barrier.cta.red.aligned']:
        w=form
        for p in ['%p1','!%p1','%p2','%p3','!%p4']:
            f=w.replace('.aligned','')
            al='.aligned' if 'aligned' in w else ''
            b+='%s.popc%s.u32 %%r8, 0, %s;\n'%(f,al,p); st('%r8')
            b+='%s.and%s.pred %%p8, 1, %s;\n'%(f,al,p); stp('%p8')
            b+='%s.or%s.pred %%p8, 15, %s;\n'%(f,al,p); stp('%p8')
    # numbers in registers, counts of all warps
    b+='''add.u32 %r3, %threads, 31; and.b32 %r3, %r3, 0xffffffe0;
mov.u32 %r4, 7;
bar.red.popc.u32 %r8, %r4, %r3, %p1;
'''
    st('%r8')
    b+='bar.red.and.pred %p8, 3, %r3, !%p3;\n'; stp('%p8')
    # the first warp waits for what the others wrote: sync with arrive
    b+='''mov.u32 %r5, sh; shl.b32 %r6, %me, 2; add.u32 %r5, %r5, %r6;
st.shared.b32 [%r5], %r1;
setp.lt.u32 %p5, %me, 32;
@%p5 bra WAIT;
bar.arrive 2, %r3;
bra BEHIND;
WAIT:
bar.sync 2, %r3;
xor.b32 %r6, %me, 32; setp.lt.u32 %p6, %r6, %threads; shl.b32 %r6, %r6, 2; mov.u32 %r5, sh; add.u32 %r5, %r5, %r6; mov.u32 %r7, 0;
@%p6 ld.shared.b32 %r7, [%r5];
'''
    st('%r7')
    b+='BEHIND:\nbar.sync 0;\nbarrier.sync 4;\nbarrier.cta.sync.aligned 5;\nbar.cta.sync 6;\n'
    # warps by themselves
    b+='''shr.u32 %r6, %me, 5; add.u32 %r7, %r6, 8; and.b32 %r7, %r7, 15; shl.b32 %r6, %r6, 5; sub.u32 %r6, %threads, %r6; min.u32 %r6, %r6, 32;
barrier.red.popc.u32 %r8, %r7, 32, %p1;
'''
    st('%r8')
    b+='activemask.b32 %r7; bar.warp.sync %r7;\n'
    open('barriers.body','w').write(o+'//! slots %d\n//! body\n'%s+b)
def atomics():
    o='// All threads of a block on one place: what is left does not depend on their order.\n//! launch 3,1,1 70,1,1 0\n//! launch 1,1,1 256,1,1 0\n//! launch 2,1,1 1,1,1 0\n'
    b='.shared .align 16 .b8 sh[16];\nmul.lo.u32 %r1, %i, 0x9e3779b1; xor.b32 %r1, %r1, 0x55aa1234; cvt.u64.u32 %q1, %r1; mul.lo.u64 %q1, %q1, 0x9e3779b97f4a7c15;\n'
    b+='and.b32 %r2, %me, 7; cvt.rn.f32.u32 %r3, %r2; cvt.rn.f64.u32 %q3, %r2; mov.u32 %r4, %ctaid.x; mul.wide.u32 %q4, %r4, 16; add.u64 %q5, %in, %q4; mov.u64 %q6, sh; cvta.shared.u64 %q7, %q6;\n'
    b+='cvt.rn.f16.u32 %h1, %r2; mov.b32 %r5, {%h1,%h1}; mov.u32 %r6, %me; mov.u32 %r12, 0; mov.u64 %q12, 0; setp.eq.u32 %p1, %me, 0;\n'
    s=0
    ops=[('add.u32','%r1','r'),('add.s32','%r1','r'),('add.u64','%q1','q'),('min.s32','%r1','r'),('min.u32','%r1','r'),('max.s32','%r1','r'),('max.u32','%r1','r'),
     ('min.s64','%q1','q'),('min.u64','%q1','q'),('max.s64','%q1','q'),('max.u64','%q1','q'),('and.b32','%r1','r'),('or.b32','%r1','r'),('xor.b32','%r1','r'),
     ('and.b64','%q1','q'),('or.b64','%q1','q'),('xor.b64','%q1','q'),('inc.u32','40','r'),('dec.u32','40','r'),('inc.u32','100000','r'),('add.f32','%r3','r'),('add.f64','%q3','q'),
     ('add.noftz.f16x2','%r5','r')]
    for name,src,w in ops:
        for red in (0,1):
            for sp,at,ownsp,own in (('.shared','[%q6]','shared','[%q6]'),('.global','[%q5]','global','[%q5]'),('','[%q5]','global','[%q5]'),('','[%q7]','shared','[%q6]'),('.relaxed.cta.shared','[%q6]','shared','[%q6]'),('.acq_rel.gpu.global','[%q5]','global','[%q5]')):
                if red and 'acq_rel' in sp: sp=sp.replace('acq_rel','release')
                z='0' if w=='r' else '0'
                init={'and':'-1','min':'0x7fffffff'}.get(name[:3],'0')
                b+='bar.sync 0;\n@%%p1 st.%s.b%d %s, %s;\nbar.sync 0;\n'%(ownsp,32 if w=='r' else 64,own,init)
                op=name
                if red: b+='red%s.%s %s, %s;\n'%(sp,op,at,src)
                else: b+='atom%s.%s %%%s12, %s, %s;\n'%(sp,op,w,at,src)
                b+='bar.sync 0;\nld.%s.b%d %%%s13, %s;\nst.global.b%d [%%out+%d], %%%s13;\n'%(ownsp,32 if w=='r' else 64,w,own,32 if w=='r' else 64,8*s,w); s+=1
    open('atomics.body','w').write(o+'//! slots %d\n//! body\n'%s+b)
def shuffles():
    o='// Shuffles, votes, matches and reductions in parts of a warp that went separate ways; each reads from lanes of its own part.\n//! launch 2,1,1 64,1,1 0\n//! launch 1,1,1 96,2,1 0\n'
    b='mul.lo.u32 %r1, %i, 0x9e3779b1; mov.u32 %r2, %laneid;\n'
    s=0
    parts=[('and.b32 %r3, %r2, 16; setp.ne.u32 %p1, %r3, 0;',0xffff0000,0x0000ffff,16),
           ('and.b32 %r3, %r2, 8; setp.ne.u32 %p1, %r3, 0;',0xff00ff00,0x00ff00ff,8),
           ('setp.eq.u32 %p1, %r2, 5;',1<<5,0xffffffff&~(1<<5),1)]
    n=0
    for cond,m1,m0,w in parts:
        b+=cond+'\n'
        n+=1
        def body(m):
            nonlocal s
            o=''
            c=(32-w)<<8
            forms=[]
            if w>1:
                for k in (1,w//2,w-1):
                    forms+=['shfl.sync.bfly.b32 %%r4|%%p4, %%r1, %d, 0x%x, 0x%x;'%(k,c|0x1f,m),'shfl.sync.idx.b32 %%r4|%%p4, %%r1, %d, 0x%x, 0x%x;'%(k,c|0x1f,m),
                     'shfl.sync.up.b32 %%r4|%%p4, %%r1, %d, 0x%x, 0x%x;'%(k,c,m),'shfl.sync.down.b32 %%r4|%%p4, %%r1, %d, 0x%x, 0x%x;'%(k,c|0x1f,m)]
                forms+=['shfl.sync.idx.b32 %%r4|%%p4, %%r1, %%r2, 0x%x, 0x%x;'%(c|0x1f,m)]
            t=s
            for f in forms:
                o+=f+'\nselp.b32 %%r5, 1, 0, %%p4;\nst.global.b32 [%%out+%d], %%r4;\nst.global.b32 [%%out+%d], %%r5;\n'%(8*t,8*t+8); t+=2
            o+='and.b32 %r6, %r1, 0x30000000; setp.gt.u32 %p5, %r1, 0x50000000; cvt.u64.u32 %q1, %r6; shl.b64 %q1, %q1, 20;\n'
            for f in ['vote.sync.ballot.b32 %%r4, %%p5, 0x%x;'%m,'match.any.sync.b32 %%r4, %%r6, 0x%x;'%m,'match.any.sync.b64 %%r4, %%q1, 0x%x;'%m,'redux.sync.add.s32 %%r4, %%r1, 0x%x;'%m,'redux.sync.min.s32 %%r4, %%r1, 0x%x;'%m,
              'redux.sync.max.u32 %%r4, %%r1, 0x%x;'%m,'redux.sync.xor.b32 %%r4, %%r1, 0x%x;'%m,'redux.sync.and.b32 %%r4, %%r6, 0x%x;'%m]:
                o+=f+'\nst.global.b32 [%%out+%d], %%r4;\n'%(8*t); t+=1
            for f in ['vote.sync.all.pred %%p4, %%p5, 0x%x;'%m,'vote.sync.any.pred %%p4, !%%p5, 0x%x;'%m,'vote.sync.uni.pred %%p4, %%p5, 0x%x;'%m,'match.all.sync.b32 %%r4|%%p4, %%r6, 0x%x;'%m,'match.all.sync.b64 %%r4|%%p4, 77, 0x%x;'%m,'elect.sync %%r4|%%p4, 0x%x;'%m]:
                o+=f+'\nselp.b32 %%r5, 1, 0, %%p4;\nst.global.b32 [%%out+%d], %%r5;\n'%(8*t); t+=1
            return o,t
        o0,t0=body(m0); o1,t1=body(m1)
        b+='@%%p1 bra PART%d;\n%sbra MET%d;\nPART%d:\n%sMET%d:\nbar.warp.sync -1;\n'%(n,o0,n,n,o1,n)
        s=max(t0,t1)
    open('shuffles.body','w').write(o+'//! slots %d\n//! body\n'%s+b)
def copies():
    o='// Asynchronous copies: sizes, sources that are shorter, groups.\n//! launch 2,1,1 64,1,1 0\n'
    b='.shared .align 16 .b8 sh[8192];\nmul.wide.u32 %q1, %i, 32; add.u64 %q1, %q1, %in; mul.lo.u32 %r1, %me, 128; mov.u32 %r2, sh; add.u32 %r1, %r1, %r2;\n'
    b+='mul.lo.u32 %r3, %i, 0x9e3779b1; add.u32 %r4, %r3, 1; xor.b32 %r5, %r4, 0x77777777; not.b32 %r6, %r5;\nst.global.v4.b32 [%q1], {%r3,%r4,%r5,%r6}; st.global.v4.b32 [%q1+16], {%r6,%r5,%r4,%r3};\nmembar.gl;\n'
    b+='mov.u32 %r9, -1;\n'+''.join('st.shared.v4.b32 [%%r1+%d], {%%r9,%%r9,%%r9,%%r9};\n'%k for k in range(0,128,16))
    b+='and.b32 %r7, %me, 3; shl.b32 %r8, %r7, 2; and.b32 %r10, %me, 15;\n'
    for k,f in enumerate(['ca.shared.global [%r1], [%q1], 4','ca.shared.global [%r1+16], [%q1], 8','ca.shared.global [%r1+32], [%q1], 16','cg.shared.global [%r1+48], [%q1+16], 16','cg.shared.global [%r1+64], [%q1], 16, %r8','ca.shared.global [%r1+80], [%q1], 16, %r10','ca.shared.global.L2::128B [%r1+96], [%q1+4], 4','ca.shared.global [%r1+112], [%q1+8], 8, 4']):
        b+='cp.async.%s;\n'%f
        if k in(1,4): b+='cp.async.commit_group;\n'
    b+='cp.async.commit_group;\ncp.async.wait_group 1;\ncp.async.wait_group 0;\ncp.async.wait_all;\n'
    for k in range(16): b+='ld.shared.b64 %%q2, [%%r1+%d];\nst.global.b64 [%%out+%d], %%q2;\n'%(8*k,8*k)
    open('copies.body','w').write(o+'//! slots 16\n//! body\n'+b)
def control():
    o='''// Branch tables, loops of different lengths, calls of functions by name and by address.
//! launch 2,1,1 70,1,1 0
//! slots 8
.func (.param .b32 r) twice(.param .b32 a)
{
.reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, %x; st.param.b32 [r], %x; ret;
}
.func (.param .b32 r) halve(.param .b32 a)
{
.reg .b32 %x; ld.param.b32 %x, [a]; shr.u32 %x, %x, 1; st.param.b32 [r], %x; ret;
}
//! body
mul.lo.u32 %r1, %i, 0x9e3779b1; shr.u32 %r1, %r1, 7; mov.u32 %r9, 1000;
and.b32 %r2, %r1, 3;
TABLE: .branchtargets A0, A1, A2, A3;
brx.idx %r2, TABLE;
A0: add.u32 %r9, %r9, 1; bra MET;
A1: add.u32 %r9, %r9, 20; bra MET;
A2: add.u32 %r9, %r9, 300;
A3: add.u32 %r9, %r9, 4000;
MET: st.global.b32 [%out], %r9;
mov.u32 %r3, 0; and.b32 %r4, %r1, 31;
LOOP: add.u32 %r3, %r3, %r4; activemask.b32 %r5; sub.u32 %r4, %r4, 1; setp.gt.s32 %p1, %r4, 0; @%p1 bra LOOP;
st.global.b32 [%out+8], %r3;
{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), twice, (a); ld.param.b32 %r6, [b]; }
st.global.b32 [%out+16], %r6;
setp.eq.u32 %p2, %r2, 1;
@!%p2 bra NOT;
{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), halve, (a); ld.param.b32 %r6, [b]; }
NOT: st.global.b32 [%out+24], %r6;
mov.u64 %q1, twice; mov.u64 %q2, halve; selp.b64 %q3, %q1, %q2, %p2;
TYPE: .callprototype (.param .b32 _) _ (.param .b32 _);
{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), %q3, (a), TYPE; ld.param.b32 %r6, [b]; }
st.global.b32 [%out+32], %r6;
ld.param.b64 %q4, [pblock+8]; st.global.b64 [%out+40], %q4;
ld.param.s8 %r7, [pblock+1]; st.global.b32 [%out+48], %r7;
setp.gt.u32 %p3, %me, 40; @%p3 exit;
st.global.b32 [%out+56], %r1;
'''
    open('control.body','w').write(o)
for f in (specials,barriers,atomics,shuffles,copies,control): f()
