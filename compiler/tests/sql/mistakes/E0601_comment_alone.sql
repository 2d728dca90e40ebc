-- E0601
«-- nothing»
