# The PDF's index of terms, by its text (pdftotext -layout): each page that it names speaks of the term. Says which do not; with no entries found, that.
import collections
import re
import sys

pages = open(sys.argv[1], encoding="utf-8").read().split("\f")
titled = {k for k, page in enumerate(pages) if re.search(r"^ *Index of terms\b", page, re.M)} # the contents, and all pages of the index
first = max(titled)
while first - 1 in titled:
    first -= 1

# A page's number stands at the end of its first line, where it has a heading.
apart = collections.Counter()
for k, page in enumerate(pages):
    number = re.search(r"\s{4}(\d+)$", page.strip("\n").split("\n")[0])
    if number:
        apart[k - int(number.group(1))] += 1
before = apart.most_common(1)[0][0]

entries = 0
for page in pages[first:]:
    for term, numbers in re.findall(r"(?:^|\s{2,})([A-Za-z][\w /().-]*)((?:, \d+)+)(?=\s|$)", page, re.M):
        begins = re.escape(term.split()[0].lower()[:6])
        for number in map(int, numbers[2:].split(", ")):
            entries += 1
            page = pages[number + before].lower()
            if not re.search(begins, re.sub(r"-\n\s*", "", page) + re.sub(r"-\n\s*", "-", page)): # a hyphen at a line's end may be the term's own
                print(f"{term}: not on page {number}")
if entries < 100:
    print(f"{entries} pages in the index")
