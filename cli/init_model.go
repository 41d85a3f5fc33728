package cli

import (
	"context"
	"slices"
	"strings"
)

// mostShown is how many models are listed at a time.
const mostShown = 15

// pickModel lets the person choose one of the models that the provider has, by its number, its name or a part of it.
func (d *initInterview) pickModel(ctx context.Context, n *connection) error {
	if n.model.Model = d.model; n.model.Model != "" {
		return nil
	}
	usual := n.usual
	if len(n.names) > 0 && !slices.Contains(n.names, usual) {
		usual = ""
	}
	if len(n.names) == 1 {
		usual = n.names[0]
	}
	shown := byUse(n.names, usual)
	all := shown
	if len(all) > 0 {
		d.say("Models of %s: %d", n.name, len(all))
	}
	d.listModels(shown)
	for {
		prompt := "Model, as the provider calls it"
		if len(all) > 0 {
			prompt = "Model, by number, name or a part of it"
		}
		if usual != "" {
			prompt += " [" + usual + "]"
		}
		typed, err := d.line(ctx, prompt)
		if err != nil {
			return err
		}
		if name := pickOf(shown[:min(len(shown), mostShown)], typed, usual); name != "" {
			n.model.Model = name
			return nil
		}
		found := containing(all, typed)
		switch {
		case typed == "":
		case len(all) == 0, slices.Contains(all, typed):
			n.model.Model = typed
			return nil
		case len(found) == 1:
			n.model.Model = found[0]
			return nil
		case len(found) == 0:
			d.say("%s has no model whose name has %q in it", n.name, safe(typed))
		default:
			shown = found
			d.listModels(shown)
		}
	}
}

func (d *initInterview) listModels(names []string) {
	for i, name := range names[:min(len(names), mostShown)] {
		d.say("%4d  %s", i+1, safe(name))
	}
	if more := len(names) - mostShown; more > 0 {
		d.say("      and %d more: type a part of the name", more)
	}
}

// notTalk are parts of the names of models that do not answer in words.
var notTalk = []string{"embed", "whisper", "tts", "dall-e", "image", "moderation", "transcribe", "realtime", "audio", "sora", "rerank", "ocr", "veo", "imagen"}

// byUse returns the models with the proposed one first, and those that do not talk last.
func byUse(names []string, usual string) []string {
	sorted := slices.Clone(names)
	rank := func(name string) int {
		switch {
		case name == usual:
			return 0
		case slices.ContainsFunc(notTalk, func(part string) bool { return strings.Contains(strings.ToLower(name), part) }):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(sorted, func(a, b string) int {
		if r := rank(a) - rank(b); r != 0 {
			return r
		}
		return strings.Compare(a, b)
	})
	return sorted
}

func containing(names []string, part string) (found []string) {
	for _, name := range names {
		if strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			found = append(found, name)
		}
	}
	return found
}

// agree is the last question.
func (d *initInterview) agree(ctx context.Context, n connection, file string, exists bool) error {
	prompt := "Write " + file
	if exists {
		d.say("%s exists and stays as it is: what to add to it is shown.", safe(file))
		prompt = ""
	}
	if n.typed {
		keep := "keep the key, sealed, as a secret of the household"
		if prompt == "" {
			prompt = strings.ToUpper(keep[:1]) + keep[1:]
		} else {
			prompt += ", and " + keep
		}
	}
	if prompt == "" {
		return nil
	}
	for {
		typed, err := d.line(ctx, prompt+"? [Y/n]")
		if err != nil {
			return err
		}
		switch strings.ToLower(typed) {
		case "", "y", "yes":
			return nil
		case "n", "no":
			return errNothing
		}
	}
}
