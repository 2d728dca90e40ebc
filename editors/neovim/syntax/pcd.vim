" Highlighting of `.pcd` where there is no tree-sitter parser of it.
if exists('b:current_syntax')
  finish
endif

syntax include @pcdSqlite syntax/sql.vim
unlet! b:current_syntax
syntax case match

syntax keyword pcdItem suite use domain table task variant axis fn
syntax keyword pcdStatement prompt expect require allow tags samples clutter folder rows line reply files tree
syntax keyword pcdFormat csv tsv sqlite json yaml xml xlsx text file
syntax keyword pcdWord at from where one_of lines weighted pattern template ref lorem words sentences paragraphs any_of last after fenced
syntax keyword pcdWord delimiter sheet quoted crlf bom blank except step unique distinct sorted within rounded weight ignore ordered unordered unit open gate
syntax match pcdWord /\<contains\>/
syntax keyword pcdWord matches number list bytes database exists absent unchanged
syntax keyword pcdOperator and or not in if then else
syntax keyword pcdConstant true false null

syntax match pcdNumber /\<\d[0-9_]*\%(\.\d[0-9_]*\)\?%\?/
syntax match pcdDate /\<\d\{4}-\d\d-\d\d\%(T\d\d:\d\d\%(:\d\d\)\?\)\?\>/
syntax match pcdSign /\.\.\|==\|!=\|[<>]=\?\|[-+*\/=]/
syntax match pcdCall /\<\h\w*\ze(/
" A name in front of `:` or `=` is declared there, whatever word it is.
syntax match pcdDeclared /\<\h\w*\>\ze\s*\%(:\|==\@!\)/
syntax match pcdDeclared /`[^`]\+`/
syntax match pcdDomain /\%(\h\w*\s*:\s*\|`\s*:\s*\|\<\%(unique\|distinct\|sorted\)\s\+\)\@<=\h\w*\>/
syntax match pcdHead /\%(\<\%(suite\|task\|table\|domain\|variant\)\s\+\)\@<=\h\w*/

syntax match pcdEscape /\\\%(u{\x*}\|<<\|.\)/ contained
syntax region pcdPlaceholder matchgroup=pcdAngle start=/<</ end=/>>/ contains=TOP,pcdDeclared,pcdDomain
syntax region pcdSql start=/\c\<\%(select\|with\)\>/ end=/\ze>>/ contained containedin=pcdPlaceholder contains=@pcdSqlite keepend
syntax region pcdString start=/"/ end=/"\|$/ skip=/\\./ contains=pcdEscape,pcdPlaceholder
syntax region pcdString start=/"""/ end=/"""/ contains=pcdEscape,pcdPlaceholder
syntax match pcdComment /#.*/ contains=@Spell
syntax match pcdDoc /##\%(#\)\@!.*/ contains=@Spell

highlight default link pcdItem Keyword
highlight default link pcdStatement Statement
highlight default link pcdFormat Keyword
highlight default link pcdWord Keyword
highlight default link pcdOperator Operator
highlight default link pcdSign Operator
highlight default link pcdConstant Constant
highlight default link pcdNumber Number
highlight default link pcdDate Number
highlight default link pcdCall Function
highlight default link pcdDeclared Identifier
highlight default link pcdDomain Type
highlight default link pcdHead Title
highlight default link pcdEscape SpecialChar
highlight default link pcdAngle Special
highlight default link pcdString String
highlight default link pcdComment Comment
highlight default link pcdDoc SpecialComment

syntax sync minlines=300

let b:current_syntax = 'pcd'
