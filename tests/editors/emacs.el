;;; What a learner does in Emacs, by the lines that the book's appendix has. -*- lexical-binding: t -*-
(defconst patience 1800 "Seconds after which what hangs is given up.")
(package-initialize)
(require 'eglot)
(require 'flymake)

(load (getenv "SETTINGS"))

(setq eglot-sync-connect patience
      eglot-events-buffer-size 0
      flymake-no-changes-timeout 0.1
      make-backup-files nil
      create-lockfiles nil
      vc-handled-backends nil)

(defun look (what good &optional why)
  (princ (if good (format "ok %s\n" what) (format "FAILED %s: %S\n" what why))))

(defun found (line text)
  "Whether a diagnostic in LINE, from 1, has TEXT in it."
  (seq-some (lambda (one)
              (and (= line (line-number-at-pos (flymake-diagnostic-beg one)))
                   (string-match-p (regexp-quote text) (flymake-diagnostic-text one))))
            (flymake-diagnostics)))

(defun wait-for (what condition)
  (let ((end (+ (float-time) patience)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.1))
    (look what (funcall condition) (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))))

(defun line-of (after what)
  (save-excursion
    (goto-char (point-min))
    (search-forward after)
    (search-forward what)
    (line-number-at-pos)))

(condition-case why
    (progn
      (find-file (pop command-line-args-left))
      (look "C++ mode" (derived-mode-p 'c++-mode) major-mode)
      (call-interactively #'eglot)
      (flymake-start)
      (let ((store (line-of "void rotate(" "out["))
            (server (eglot-current-server)))
        (wait-for "a missed goal at its line" (lambda () (found store "rotate_sectors")))
        (goto-char (point-min))
        (forward-line (1- store))
        (let* ((uri (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri)))
               (hover (jsonrpc-request server :textDocument/hover
                                       (list :textDocument uri :position (list :line (1- store) :character 10))
                                       :timeout patience)))
          (look "hover" (string-match-p "A row is a 32-byte sector" (format "%S" hover)) hover))
        (search-forward "out[")
        (replace-match "nowhere[" t t)
        (save-buffer)
        (wait-for "an error at its line" (lambda () (found store "nowhere")))
        (goto-char (point-min))
        (search-forward "nowhere[")
        (replace-match "out[" t t)
        (save-buffer)
        (wait-for "errors go when put right"
                  (lambda () (and (not (found store "nowhere")) (found store "rotate_sectors"))))
        (eglot-shutdown server nil patience)
        (look "the server ends" (not (jsonrpc-running-p server))))
      (look "done" t))
  (error (look "done" nil why)))
