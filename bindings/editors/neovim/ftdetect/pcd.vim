autocmd BufRead,BufNewFile *.pcd setfiletype pcd
