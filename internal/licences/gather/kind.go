package main

import (
	"regexp"
	"slices"
	"strings"
)

// kinds are what the texts of licences say, with white space made even.
var kinds = []struct {
	spdx string
	says *regexp.Regexp
	not  *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`Apache License,? Version 2\.0`), nil},
	{"BSD-2-Clause", regexp.MustCompile(`Redistribution and use in source and binary forms`), bsd3},
	{"BSD-3-Clause", bsd3, nil},
	{"MIT", regexp.MustCompile(`Permission is hereby granted, free of charge, to any person`), nil},
	{"ISC", regexp.MustCompile(`(?i)Permission to use, copy, modify, and(/or)? distribute this software for any purpose`), nil},
	{"MPL-2.0", regexp.MustCompile(`Mozilla Public License,? [Vv]ersion 2\.0`), nil},
	{"Unlicense", regexp.MustCompile(`free and unencumbered software released into the public domain`), nil},
	{"CC-BY-3.0", regexp.MustCompile(`Creative Commons Attribution 3\.0`), nil},
	{"public domain", regexp.MustCompile(`(?i)(dedicated to|are in) the public domain`), nil},
}

var bsd3 = regexp.MustCompile(`Neither the names? of|may not be used to endorse or promote|name of .{1,60} may not be used`)

// kindOf names the licences in texts, or nothing if none is known.
func kindOf(texts []string) string {
	var found []string
	for _, text := range texts {
		even := strings.Join(strings.Fields(text), " ")
		for _, k := range kinds {
			if k.says.MatchString(even) && (k.not == nil || !k.not.MatchString(even)) && !slices.Contains(found, k.spdx) {
				found = append(found, k.spdx)
			}
		}
	}
	slices.Sort(found)
	return strings.Join(found, " AND ")
}
