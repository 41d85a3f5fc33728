package cli

import (
	"context"
	"strconv"
	"strings"

	"rein/api"
)

func flowsCommand() command {
	return command{
		name: "flows", args: "[NAME]", does: "list the flows, which are ways of working", most: 1,
		more:  `NAME shows one flow: what it does, the tools that its runs have, and its settings with their defaults and ranges. rein run --flow NAME takes a flow; its settings are in rein.toml.`,
		flags: func(c *call) []flagDef { return []flagDef{jsonFlag(c), configFlag(c)} }, run: runFlows,
	}
}

func runFlows(_ context.Context, c *call) error {
	list, err := c.setup().OfferedFlows()
	if err != nil {
		return err
	}
	if len(c.args) > 0 {
		return c.oneFlow(list, c.args[0])
	}
	rows := [][]string{{"FLOW", "WHAT IT DOES"}}
	for _, f := range list {
		if c.json {
			if err := c.printJSON(f); err != nil {
				return err
			}
			continue
		}
		about := f.About
		if f.Default {
			about += " (the default)"
		}
		rows = append(rows, []string{f.Name, about})
	}
	if !c.json {
		c.advice(rows)
	}
	return nil
}

func (c *call) oneFlow(list []api.Flow, name string) error {
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
		switch {
		case f.Name != name:
		case c.json:
			return c.printJSON(f)
		default:
			c.printFlow(f)
			return nil
		}
	}
	return noSuch("flow", name, names)
}

func (c *call) printFlow(f api.Flow) {
	rows := [][]string{{"flow", f.Name}, {"does", f.About}}
	if f.Default {
		rows = append(rows, []string{"default", "yes: runs that name no flow have it"})
	}
	if len(f.Tools) > 0 {
		rows = append(rows, []string{"tools", strings.Join(f.Tools, ", ")})
	}
	c.advice(append(rows, []string{"usually", strings.Join(f.Usual, ", ")}))
	if len(f.Fields) == 0 {
		return
	}
	c.print("\n")
	settings := [][]string{{"SETTING", "DEFAULT", "RANGE", "WHAT IT IS"}}
	for _, field := range f.Fields {
		settings = append(settings, []string{field.Name, string(field.Default), rangeOf(field), aboutOf(field)})
	}
	c.advice(settings)
}

// aboutOf says what a setting is, without the range, which has a column of its own.
func aboutOf(f api.Field) string {
	if short, ok := strings.CutSuffix(f.About, rangeOf(f)); ok {
		return strings.TrimRight(short, ",;: ")
	}
	return f.About
}

// rangeOf says what a setting can be.
func rangeOf(f api.Field) string {
	number := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	switch {
	case len(f.Choices) > 0:
		return strings.Join(f.Choices, ", ")
	case f.Type == api.FieldBoolean:
		return "true, false"
	case f.Min != nil && f.Max != nil:
		return number(f.Min) + " to " + number(f.Max)
	case f.Min != nil:
		return "at least " + number(f.Min)
	case f.Max != nil:
		return "at most " + number(f.Max)
	}
	return string(f.Type)
}
