"""The bank of questions in its formats: each is read as its platform reads it, every field is looked at, and all must say the same. The answers of
the source are read once more, from the checked pages' JSON. Prints what is wrong, then "N passed"."""

import html
import json
import os
import re
import sys
import xml.etree.ElementTree as ET
import zipfile

sys.path.append(os.path.join(os.path.dirname(__file__), ".."))
from suite import expect, finish

teach = sys.argv[1]


def text(markup):
    """What is read of some HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


# --- the source: {id: (kind, points, answer)}, an answer being a number or the set of right choices, by place
def source():
    found = {}
    for name in sorted(os.listdir(os.path.join(teach, "questions"))):
        with open(os.path.join(teach, "questions", name), encoding="utf-8") as file:
            blocks = json.load(file)["blocks"]
        for block in blocks:
            if block["t"] == "Header" and block["c"][0] == 2:
                ident, classes, pairs = block["c"][1]
                pairs = dict(pairs)
                current = found[ident] = {"kind": classes[0], "points": float(pairs.get("points", 1)), "within": float(pairs.get("within", 0)), "answer": None, "why": False}
            elif block["t"] == "Div" and block["c"][0][1][:1] == ["right"] and current["kind"] == "number":
                current["answer"] = float(dict(block["c"][0][2])["value"])
            elif block["t"] == "Div" and block["c"][0][1][:1] == ["why"]:
                current["why"] = True
            elif block["t"] == "BulletList" and current["kind"] in ("choice", "several"):
                current["answer"] = {i for i, item in enumerate(block["c"]) if item[0]["c"][0]["c"] == "☒"}
                current["choices"] = len(block["c"])
    return found


# --- Moodle XML
SHARES = {100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571, 12.5, 11.11111, 10, 5, 0}


def moodle():
    found, category = {}, 0
    for q in ET.parse(os.path.join(teach, "questions-moodle.xml")).getroot():
        kind = q.get("type")
        if kind == "category":
            category += 1
            expect(q.find("category/text").text.startswith("$course$/top/"), "Moodle: a category outside the course")
            continue
        ident = q.find("idnumber").text
        expect(ident not in found, f"Moodle: {ident} twice")
        expect(len(q.find("name/text").text) < 255 and len(text(q.find("questiontext/text").text)) > 20, f"Moodle: {ident} has no name or text")
        expect(q.find("questiontext").get("format") == "html" and q.find("generalfeedback").get("format") == "html", f"Moodle: {ident} is no HTML")
        answers = q.findall("answer")
        entry = found[ident] = {"points": float(q.find("defaultgrade").text), "stem": text(q.find("questiontext/text").text), "why": text(q.find("generalfeedback/text").text or "")}
        if kind == "numerical":
            expect(len(answers) == 1 and answers[0].get("fraction") == "100", f"Moodle: {ident} has {len(answers)} answers")
            entry["answer"], entry["within"] = float(answers[0].find("text").text), float(answers[0].find("tolerance").text)
        elif kind == "multichoice":
            fractions = [float(a.get("fraction")) for a in answers]
            expect(all(abs(f) in SHARES for f in fractions), f"Moodle: {ident} has a share that Moodle does not know: {fractions}")
            expect(abs(sum(f for f in fractions if f > 0) - 100) < 0.001, f"Moodle: {ident}'s shares are {fractions}")
            single = q.find("single").text
            expect(single == ("true" if 100 in fractions and min(fractions) == 0 else "false"), f"Moodle: {ident} is single={single}")
            entry["answer"] = {i for i, f in enumerate(fractions) if f > 0}
            entry["choices"] = [text(a.find("text").text) for a in answers]
            expect(all(a.get("format") == "html" for a in answers) and len(set(entry["choices"])) == len(answers), f"Moodle: {ident} has a choice twice")
        else:
            expect(kind == "essay" and len(text(q.find("graderinfo/text").text)) > 40 and q.find("responseformat").text == "editor", f"Moodle: {ident} is a {kind}")
            entry["answer"] = None
    expect(category == len(os.listdir(os.path.join(teach, "questions"))), f"Moodle: {category} categories")
    return found


# --- GIFT
def unescape(part):
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], part)


def gift():
    found = {}
    with open(os.path.join(teach, "questions.gift"), encoding="utf-8") as file:
        entries = [e for e in re.split(r"\n[ \t]*\n", file.read()) if e.strip()]
    for entry in entries:
        if entry.startswith("$CATEGORY:"):
            continue
        m = re.fullmatch(r"// (\S+)\n::((?:[^:\\]|\\.)+)::\[html\]((?:[^{}\\]|\\.)*)\{((?:[^{}\\]|\\.)*)\}\s*", entry, re.S)
        expect(m, f"GIFT: not understood: {entry[:60]}")
        if not m:
            continue
        ident, _, stem, inside = m.groups()
        inside, _, why = inside.partition("####")
        result = found[ident] = {"stem": text(unescape(stem)), "why": text(unescape(why))}
        if inside.startswith("#"):
            value, _, within = inside[1:].strip().partition(":")
            result["answer"], result["within"] = float(value), float(within or 0)
        elif inside.strip():
            marks = re.findall(r"(?<!\\)([=~])(?:%(-?[\d.]+)%)?((?:[^=~\\]|\\.)*)", inside)
            result["answer"] = {i for i, (mark, share, _) in enumerate(marks) if mark == "=" or float(share or 0) > 0}
            result["choices"] = [text(unescape(c)) for _, _, c in marks]
        else:
            result["answer"] = None
    return found


# --- QTI 1.2, as Canvas reads it
Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
M = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"


def scored(item):
    """The one condition that sets the score."""
    conditions = [c for c in item.iter(Q + "respcondition") if c.find(Q + "setvar") is not None]
    expect(len(conditions) <= 1 and all(c.find(Q + "setvar").text == "100" and c.find(Q + "setvar").get("varname") == "SCORE" for c in conditions), f"QTI: {item.get('ident')}'s score")
    return conditions[0].find(Q + "conditionvar") if conditions else None


def qti_item(item):
    ident = item.get("ident")
    fields = {f.find(Q + "fieldlabel").text: f.find(Q + "fieldentry").text for f in item.iter(Q + "qtimetadatafield")}
    presentation = item.find(Q + "presentation")
    responses = list(presentation.findall(Q + "response_lid")) + list(presentation.findall(Q + "response_str"))
    expect(len(responses) == 1 and responses[0].get("ident") == "response1", f"QTI: {ident} has {len(responses)} responses")
    stem = presentation.find(f"{Q}material/{Q}mattext")
    expect(stem.get("texttype") == "text/html" and item.get("title"), f"QTI: {ident} has no text or title")
    decvar = item.find(f"{Q}resprocessing/{Q}outcomes/{Q}decvar")
    expect(decvar.attrib == {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}, f"QTI: {ident}'s outcome is {decvar.attrib}")
    for shown in item.iter(Q + "displayfeedback"):
        expect(item.find(f"{Q}itemfeedback[@ident='{shown.get('linkrefid')}']") is not None, f"QTI: {ident} shows feedback that is not there")
    entry = {"points": float(fields["points_possible"]), "stem": text(stem.text), "type": fields["question_type"], "why": ""}
    feedback = item.find(f"{Q}itemfeedback/{Q}flow_mat/{Q}material/{Q}mattext")
    if feedback is not None:
        entry["why"] = text(feedback.text)
    condition = scored(item)
    labels = [label.get("ident") for label in responses[0].iter(Q + "response_label")]
    expect(len(set(labels)) == len(labels), f"QTI: {ident}: labels {labels}")
    if fields["question_type"] == "numerical_question":
        equal, low, high = (float(condition.find(path).text) for path in (f"{Q}or/{Q}varequal", f"{Q}or/{Q}and/{Q}vargte", f"{Q}or/{Q}and/{Q}varlte"))
        expect(low <= equal <= high and abs(equal - low - (high - equal)) < 1e-9, f"QTI: {ident}: {low} {equal} {high}")
        entry["answer"], entry["within"] = equal, (high - low) / 2
    elif fields["question_type"] == "essay_question":
        expect(condition is None, f"QTI: the essay {ident} scores itself")
        entry["answer"] = None
    else:
        single = fields["question_type"] == "multiple_choice_question"
        expect(responses[0].get("rcardinality") == ("Single" if single else "Multiple"), f"QTI: {ident}'s cardinality")
        equal = [e.text for e in (condition.findall(Q + "varequal") if single else condition.findall(f"{Q}and/{Q}varequal"))]
        wrong = [e.text for e in condition.findall(f"{Q}and/{Q}not/{Q}varequal")]
        expect(set(equal + wrong) == set(labels) if not single else len(equal) == 1 and equal[0] in labels, f"QTI: {ident} speaks of {equal} and {wrong} of {labels}")
        entry["answer"] = {labels.index(e) for e in equal}
        entry["choices"] = [text(t.text) for t in responses[0].iter(Q + "mattext")]
    return ident, entry


def qti():
    found = {}
    with zipfile.ZipFile(os.path.join(teach, "questions-canvas.zip")) as package:
        expect(package.testzip() is None and "imsmanifest.xml" in package.namelist(), "QTI: the package is no package")
        resources = list(ET.fromstring(package.read("imsmanifest.xml")).iter(M + "resource"))
        named = {r.find(M + "file").get("href") for r in resources}
        held = {n for n in package.namelist() if n.endswith(".xml") and n != "imsmanifest.xml"}
        expect(named == held and len(named) == len(os.listdir(os.path.join(teach, "questions"))), f"QTI: the manifest names {named ^ held}")
        expect(all(r.get("type") == "imsqti_xmlv1p2" for r in resources) and len({r.get("identifier") for r in resources}) == len(resources), "QTI: the manifest's resources")
        for name in sorted(named & held):
            root = ET.fromstring(package.read(name))
            expect(root.tag == Q + "questestinterop" and root.find(Q + "assessment").get("title"), f"QTI: {name} is no assessment")
            for item in root.iter(Q + "item"):
                ident, entry = qti_item(item)
                expect(ident not in found, f"QTI: {ident} twice")
                found[ident] = entry
    return found


TYPES = {"number": "numerical_question", "choice": "multiple_choice_question", "several": "multiple_answers_question", "reason": "essay_question"}
asked = source()
expect(len(asked) >= 60, f"{len(asked)} questions are fewer than 60")
banks = {"Moodle": moodle(), "GIFT": gift(), "QTI": qti()}
for bank, entries in banks.items():
    expect(set(entries) == set(asked), f"{bank} differs in {set(entries) ^ set(asked)}")
for ident, q in asked.items():
    for bank, entries in banks.items():
        e = entries.get(ident, {})
        expect(e.get("answer") == q["answer"], f"{bank}: the answer to {ident} is {e.get('answer')}, not {q['answer']}")
        if q["kind"] == "number":
            expect(abs(e.get("within", -1) - q["within"]) < 1e-9, f"{bank}: {ident} is right within {e.get('within')}")
        expect(bool(e.get("why")) == q["why"], f"{bank}: the reason of {ident}")
        expect(e.get("stem") == banks["Moodle"][ident]["stem"] and e.get("choices") == banks["Moodle"][ident].get("choices"), f"{bank}: {ident} does not read as in Moodle")
        if "points" in e:
            expect(e["points"] == q["points"], f"{bank}: {ident} is worth {e['points']}")
    expect(banks["QTI"][ident]["type"] == TYPES[q["kind"]], f"QTI: {ident} is a {banks['QTI'][ident]['type']}")

# The sheet has every question and no answer; the key has both.
with open(os.path.join(teach, "questions.html"), encoding="utf-8") as file:
    sheet = file.read()
with open(os.path.join(teach, "answer-key.html"), encoding="utf-8") as file:
    key = file.read()
expect('class="right"' not in sheet and key.count('class="right"') == len(asked), "the sheet has answers, or the key lacks some")
for ident, q in asked.items():
    expect(f'id="{ident}"' in sheet and f'id="{ident}"' in key, f"{ident} is not printed")
    heading = sheet[sheet.index(f'id="{ident}"'):].partition("</h3>")[0]
    expect(("several may be right" in " ".join(heading.split())) == (q["kind"] == "several"), f"the sheet does not say of {ident} how many may be right")
    if q["kind"] != "reason":
        wanted = f"{q['answer']:.10g}" if q["kind"] == "number" else ", ".join(chr(97 + i) for i in sorted(q["answer"]))
        after = key[key.index(f'id="{ident}"'):]
        got = re.search(r"Answer:\s*([^<]*)", after)
        expect(got and got[1].strip() == wanted, f"the key says {got and got[1]} for {ident}, not {wanted}")

finish()
