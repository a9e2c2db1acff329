# SPDX-License-Identifier: GPL-2.0
#
# Compile an edit script (see Documentation/graft.rst) into commands for ed.
#
#	awk -v edit=FILE.edit -v name=PATH -v top=DIR -f edit.awk FILE
#
# FILE is the stock file, PATH the name to use for it in messages, DIR the
# directory to which "<" lines are relative.  Every anchor is resolved to line
# numbers of the unchanged file; the commands are then put out from the bottom
# up, so that no command moves the lines of a later one.  Every fault is
# reported, not only the first; the exit status is 1 when there was any.

function fault(where, text) {
	printf "graft: %s: %s (%s:%d)\n", name, text, edit, where >"/dev/stderr"
	failed = 1
}

# How often does the anchor OP TEXT match in LO..HI?  Sets hit to the first line
# and hits to a list of the first few.
function find(op, text, lo, hi,   i, count) {
	hit = 0
	hits = ""
	for (i = lo; i <= hi; i++) {
		if (op == "=" ? line[i] != text : !index(line[i], text))
			continue
		if (!count++)
			hit = i
		if (count <= 5)
			hits = hits (count > 1 ? ", " : "") i
	}
	return count + 0
}

function anchor(key, lo, hi,   count, text) {
	count = find(op[key], arg[key], lo, hi)
	if (count == 1)
		return hit
	text = "the anchor '" op[key] " " arg[key] "' matches " count " lines"
	if (count)
		text = text " (" hits (count > 5 ? ", ..." : "") "); narrow it with a scope or a longer anchor"
	else if (lo > 1 || hi < n)
		text = text " of lines " lo ".." hi "; compare the file with the edit script and mend the anchor"
	else
		text = text "; compare the file with the edit script and mend the anchor"
	fault(at[key], text ", it must match exactly one")
	return 0
}

# The end of a range that starts at line FROM; 0 after a fault.
function range_end(from,   key, end) {
	for (key in at) {
		if (key !~ /^(to|until)/)
			continue
		if (key ~ /next$/) {
			if (!find(op[key], arg[key], from + 1, hi)) {
				fault(at[key], "the anchor '" op[key] " " arg[key] "' matches no line after line " from)
				return 0
			}
			end = hit
		} else {
			end = anchor(key, from, hi)
		}
		return key ~ /^until/ && end ? end - 1 : end
	}
	return from
}

# One resolved change: lines FIRST..LAST become TEXT; an insertion after line N
# has FIRST = N + 1 and LAST = N.
function change(first, last, text) {
	ops++
	c_first[ops] = first
	c_last[ops] = last
	c_text[ops] = text
	c_at[ops] = at["action"]
}

function need(keys,   list, i, count, k) {
	count = split(keys, list, " ")
	for (i = 1; i <= count; i++)
		if (!(list[i] in at)) {
			fault(at["action"], "'" action "' lacks its line '" list[i] "'")
			return 0
		}
	for (k in at)
		if (k != "action" && !index(" " keys " " optional[action] " ", " " k " ")) {
			fault(at[k], "'" action "' knows no line '" k "'")
			return 0
		}
	return 1
}

function literal_substitute(number,   text, where) {
	text = line[number]
	where = index(text, arg["old"])
	if (arg["old"] == "" || !where ||
	    index(substr(text, where + 1), arg["old"])) {
		fault(at["old"], "'" arg["old"] "' must occur exactly once in line " number)
		return
	}
	change(number, number, substr(text, 1, where - 1) arg["new"] \
		substr(text, where + length(arg["old"])) "\n")
}

function finish(   first, last) {
	if (action == "")
		return
	if (action == "scope") {
		lo = 1
		hi = n
		if (("from" in at) && need("from")) {
			first = anchor("from", lo, hi)
			last = range_end(first)
			# A scope that reaches no end line runs to the end of the file.
			if (last == first)
				last = n
			if (first && last) {
				lo = first
				hi = last
			}
		}
	} else if (action == "delete" || action == "replace") {
		if (("at" in at) ? need("at") : need("from")) {
			first = anchor("at" in at ? "at" : "from", lo, hi)
			last = first ? range_end(first) : 0
			if (action == "replace" && body == "")
				fault(at["action"], "'replace' has no text; use 'delete'")
			else if (action == "delete" && body != "")
				fault(at["action"], "'delete' takes no text; use 'replace'")
			else if (first && last && last < first)
				fault(at["action"], "the range ends before it starts")
			else if (first && last)
				change(first, last, body)
		}
	} else if (action == "insert") {
		if (body == "")
			fault(at["action"], "'insert' has no text")
		else if (("after" in at) && need("after")) {
			first = anchor("after", lo, hi)
			if (first)
				change(first + 1, first, body)
		} else if (!("after" in at) && need("before")) {
			first = anchor("before", lo, hi)
			if (first)
				change(first, first - 1, body)
		}
	} else if (action == "substitute" && need("at old new")) {
		first = anchor("at", lo, hi)
		if (first)
			literal_substitute(first)
	}
	action = ""
}

function start(word, number) {
	finish()
	action = word
	body = ""
	split("", at)
	split("", op)
	split("", arg)
	at["action"] = number
	if (!(word in optional)) {
		fault(number, "unknown action '" word "'")
		action = ""
	}
}

function text_line(text, number) {
	if (text == ".")
		fault(number, "a line of a single dot cannot be inserted")
	body = body text "\n"
}

function text_file(path, number,   text, count) {
	while ((getline text <(top "/" path)) > 0) {
		text_line(text, number)
		count++
	}
	close(top "/" path)
	if (!count)
		fault(number, path ": no such file in the repository, or it is empty")
}

function parse(text, number,   word, rest) {
	if (text ~ /^#/ || text ~ /^[ \t]*$/)
		return
	if (text ~ /^[a-z]/) {
		start(text, number)
		return
	}
	sub(/^[ \t]+/, "", text)
	if (text == "|" || text ~ /^\| /) {
		text_line(substr(text, 3), number)
	} else if (text ~ /^< /) {
		text_file(substr(text, 3), number)
	} else if (text ~ /^[a-z-]+[ \t]+[=~] /) {
		word = text
		sub(/[ \t].*/, "", word)
		rest = substr(text, length(word) + 1)
		sub(/^[ \t]+/, "", rest)
		if (word in at)
			fault(number, "'" word "' is given twice")
		at[word] = number
		op[word] = substr(rest, 1, 1)
		arg[word] = substr(rest, 3)
	} else {
		fault(number, "not understood: '" text "'")
	}
}

# Put the changes out bottom up; of two at one place the later one first.
function emit(   i, j, k, order) {
	for (i = 1; i <= ops; i++) {
		for (j = i; j > 1; j--) {
			k = order[j - 1]
			if (c_first[k] > c_first[i] ||
			    (c_first[k] == c_first[i] && c_last[k] > c_last[i]))
				break
			order[j] = k
		}
		order[j] = i
	}
	for (i = 1; i < ops; i++)
		if (c_last[order[i + 1]] >= c_first[order[i]])
			fault(c_at[order[i]], "overlaps the change of line " c_at[order[i + 1]])
	if (failed)
		return
	for (i = 1; i <= ops; i++) {
		k = order[i]
		if (c_last[k] < c_first[k])
			printf "%da\n%s.\n", c_last[k], c_text[k]
		else if (c_text[k] == "")
			printf "%d,%dd\n", c_first[k], c_last[k]
		else
			printf "%d,%dc\n%s.\n", c_first[k], c_last[k], c_text[k]
	}
	print "w"
	print "q"
}

BEGIN {
	optional["scope"] = "to until to-next until-next"
	optional["delete"] = optional["scope"]
	optional["replace"] = optional["scope"]
	optional["insert"] = ""
	optional["substitute"] = ""
}

{ line[++n] = $0 }

END {
	lo = 1
	hi = n
	while ((getline text <edit) > 0)
		parse(text, ++number)
	finish()
	if (!ops && !failed)
		fault(number, "the edit script changes nothing")
	emit()
	exit failed
}
