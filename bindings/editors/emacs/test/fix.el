;;; fix.el --- A misspelt column in Emacs: coloured, seen, fixed by a code action, gone  -*- lexical-binding: t; -*-

;;   PICARDC=target/debug/picardc emacs --batch -f package-initialize -l bindings/editors/emacs/test/fix.el
;;
;; Ends with 0 if all holds; else says what does not and ends otherwise.

;;; Code:

(defvar pcd-test-root (expand-file-name "../../../../" (file-name-directory (or load-file-name buffer-file-name))))
(add-to-list 'load-path (expand-file-name "bindings/editors/emacs" pcd-test-root))
(require 'pcd-mode)
(require 'eglot)
(require 'flymake)

(defun pcd-test-check (is text &rest arguments)
  "Fail with TEXT and ARGUMENTS unless IS."
  (unless is (error "%s" (apply #'format text arguments))))

(defun pcd-test-wait (what is)
  "Wait until the function IS says so, or fail naming WHAT."
  (let ((end (time-add nil 30)))
    (while (and (not (funcall is)) (time-less-p nil end))
      (flymake-start)
      (accept-process-output nil 0.05)))
  (pcd-test-check (funcall is) "no sign of %s" what))

(defun pcd-test-face (text)
  "The face at the first TEXT of the buffer."
  (goto-char (point-min))
  (search-forward text)
  (get-text-property (match-beginning 0) 'face))

(defun pcd-test-read (file)
  "What FILE holds."
  (with-temp-buffer (insert-file-contents file) (buffer-string)))

(let* ((past (pcd-test-read (expand-file-name "suites/past.pcd" pcd-test-root)))
       (slip (replace-regexp-in-string "crm\\.AGE_YRS" "crm.AEG_YRS" past t t))
       (folder (make-temp-file "picardc-emacs-" t))
       (file (expand-file-name "past.pcd" folder))
       (inhibit-message t))
  (pcd-test-check (not (equal slip past)) "the suite has no crm.AGE_YRS to misspell")
  (with-temp-file file (insert slip))
  (setq pcd-program (or (getenv "PICARDC") "picardc") make-backup-files nil eglot-autoshutdown nil)
  (find-file file)
  (pcd-test-check (eq major-mode 'pcd-mode) "the mode is %s" major-mode)

  (font-lock-ensure)
  (dolist (case '(("past {" . font-lock-function-name-face) ("PICARD Abridged" . font-lock-comment-face)
                  ("Create these files" . font-lock-string-face) ("SELECT SUM" . font-lock-builtin-face)
                  ("Create a JSON summary" . font-lock-string-face) ("C_NAME " . font-lock-variable-name-face)
                  ("person_name" . font-lock-type-face) ("expect files" . font-lock-keyword-face)))
    (let ((face (pcd-test-face (car case))))
      (pcd-test-check (memq (cdr case) (ensure-list face)) "%s is %s" (car case) face)))
  (indent-region (point-min) (point-max))
  (pcd-test-check (not (buffer-modified-p)) "indenting changes a suite that is indented")
  (princ "coloured\n")

  (apply #'eglot (eglot--guess-contact))
  (pcd-test-wait "a diagnostic" #'flymake-diagnostics)
  (let ((said (car (flymake-diagnostics))))
    (pcd-test-check (string-match-p "AEG_YRS" (flymake-diagnostic-text said)) "it says %s" (flymake-diagnostic-text said))
    (pcd-test-check (equal (buffer-substring (flymake-diagnostic-beg said) (flymake-diagnostic-end said)) "AEG_YRS")
                    "it stands elsewhere")
    (princ (format "seen: %s\n" (flymake-diagnostic-text said)))
    (goto-char (flymake-diagnostic-beg said))
    ;; The author chooses the fix.
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ choices &rest _)
                 (let ((titles (all-completions "" choices)))
                   (or (seq-find (lambda (title) (string-match-p "AGE_YRS" title)) titles) (error "Offered: %s" titles)))))
              ((symbol-function 'y-or-n-p) #'always))
      (eglot-code-actions (flymake-diagnostic-beg said) (flymake-diagnostic-end said) "quickfix" t)))
  (pcd-test-wait "the fix" (lambda () (equal (buffer-string) past)))
  (princ "fixed\n")
  (eglot--signal-textDocument/didChange)
  (pcd-test-wait "the end of the diagnostic" (lambda () (null (flymake-diagnostics))))
  (princ "gone\n")

  (goto-char (point-min))
  (search-forward "task q103_repeat_words")
  (pcd-preview 2)
  (with-current-buffer "*picardc q103_repeat_words 2*"
    (pcd-test-check (string-match-p "Respond only with these three words" (buffer-string)) "the preview: %s" (buffer-string)))
  (princ "previewed\n")
  (eglot-shutdown (eglot-current-server))
  (set-buffer-modified-p nil)
  (delete-directory folder t))
;;; fix.el ends here
