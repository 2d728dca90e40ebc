" Settings of a buffer with a suite.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=b:##,b:#
setlocal shiftwidth=2 softtabstop=2 expandtab
setlocal iskeyword=@,48-57,_
setlocal suffixesadd=.pcd
let b:undo_ftplugin = 'setlocal commentstring< comments< shiftwidth< softtabstop< expandtab< iskeyword< suffixesadd<'
