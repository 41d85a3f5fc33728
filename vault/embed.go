package vault

import (
	"context"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"rein"
	"rein/vault/chunk"
	"rein/vault/index"
)

const (
	embedNotes   = 256 // are looked up at a time
	embedTexts   = 32  // are given to the embedder at a time, at most
	firstTexts   = 4   // at first, so that a process that ends soon leaves something behind
	maxParts     = 16  // windows of one passage
	embedTimeout = 2 * time.Minute
	retryFirst   = 5 * time.Second
	retryMost    = 2 * time.Minute
)

// embedLoop makes vectors for passages that have none. Words are searchable long before; this fills in
// the rest, and takes up after a restart where it was.
func (v *Vault) embedLoop(ctx context.Context) {
	retry := retryFirst
	for {
		err := v.embedAll(ctx)
		v.embedded(err)
		wait := (<-chan time.Time)(nil)
		if err != nil {
			wait = time.After(retry)
			retry = min(2*retry, retryMost)
		} else {
			retry = retryFirst
		}
		select {
		case <-ctx.Done():
			return
		case <-v.wake:
		case <-wait:
		}
	}
}

func (v *Vault) embedded(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.embedErr = err
	close(v.quiet)
	v.quiet = make(chan struct{})
}

// embedAll goes on until nothing is missing or nothing more can be made.
func (v *Vault) embedAll(ctx context.Context) error {
	meter := newMeter(v, "vectors", v.index.Waiting())
	defer meter.end()
	defer func() { _ = v.index.Flush() }() // what is not safe is made again
	size := firstTexts
	for {
		some := v.missing()
		if len(some) == 0 {
			return nil
		}
		meter.total = max(meter.total, meter.done+v.index.Waiting())
		b := &batch{vault: v, meter: meter, size: size}
		for _, m := range some {
			if err := v.stepBack(ctx); err != nil {
				return err
			}
			if err := b.addNote(ctx, m); err != nil {
				return err
			}
		}
		if err := b.flush(ctx); err != nil {
			return err
		}
		size = b.size
		if b.made == 0 { // those notes changed or are gone; the keeper will say
			return nil
		}
	}
}

// A batch is what the embedder is given at a time, and what is made durable at a time.
type batch struct {
	vault *Vault
	meter *meter
	texts []string
	of    []chunk.Hash
	open  int // passages in texts
	made  int
	size  int // how many texts are a batch; it grows up to embedTexts
}

// missing lists notes with passages that have no vectors, without those that the embedder refuses.
func (v *Vault) missing() []index.Missing {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.index.MissingVectors(embedNotes, v.hopeless)
}

// stepBack waits while a search makes vectors that it needs: those of all other passages have time.
func (v *Vault) stepBack(ctx context.Context) error {
	for {
		v.mu.Lock()
		waits := v.needing > 0
		v.mu.Unlock()
		if !waits {
			return ctx.Err()
		}
		select {
		case <-time.After(needPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// needPause is how often who steps back looks again.
const needPause = 5 * time.Millisecond

// addNote adds the passages of a note that have no vectors, if it still holds them.
func (b *batch) addNote(ctx context.Context, m index.Missing) error {
	text, _, err := b.vault.folder.read(m.Path)
	if err != nil {
		return nil
	}
	for _, p := range index.Passages(m.Path, text, b.vault.chunking) {
		if !m.Keys[p.Key] {
			continue
		}
		delete(m.Keys, p.Key)
		for _, part := range b.vault.windowsOf(p.Text) {
			b.texts, b.of = append(b.texts, part), append(b.of, p.Key)
		}
		if b.open++; len(b.texts) >= b.size {
			if err := b.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *batch) flush(ctx context.Context) error {
	if len(b.texts) == 0 {
		return nil
	}
	made, err := b.embed(ctx, b.texts, b.of)
	if isRefusal(err) {
		made, err = b.oneByOne(ctx)
	}
	if err != nil {
		return err
	}
	if err := b.vault.index.AddVectors(made); err != nil {
		return err
	}
	b.meter.add(b.open)
	b.made += len(made)
	b.texts, b.of, b.open = nil, nil, 0
	b.size = min(2*b.size, embedTexts)
	return nil
}

func (b *batch) embed(ctx context.Context, texts []string, of []chunk.Hash) (map[chunk.Hash][][]float32, error) {
	vectors, err := b.vault.embed(ctx, texts, embedTimeout)
	if err != nil {
		return nil, err
	}
	made := map[chunk.Hash][][]float32{}
	for i, key := range of {
		made[key] = append(made[key], vectors[i])
	}
	return made, nil
}

// isRefusal reports an error that the same texts would meet again.
func isRefusal(err error) bool {
	code := rein.CodeOf(err)
	return code == rein.CodeInvalid || code == rein.CodeTooLong || code == rein.CodeProvider
}

// oneByOne finds the passage that the embedder refuses, so that it does not keep the others from their
// vectors. It is not tried again until the vault is next opened.
func (b *batch) oneByOne(ctx context.Context) (map[chunk.Hash][][]float32, error) {
	all := map[chunk.Hash][][]float32{}
	var refused error
	for from := 0; from < len(b.of); {
		to := from
		for to < len(b.of) && b.of[to] == b.of[from] {
			to++
		}
		made, err := b.embed(ctx, b.texts[from:to], b.of[from:to])
		switch {
		case isRefusal(err):
			refused = err
		case err != nil:
			return nil, err
		}
		maps.Copy(all, made)
		from = to
	}
	if len(all) == 0 && refused != nil {
		return nil, refused // it refuses everything: the fault is not a passage's
	}
	b.vault.mu.Lock()
	defer b.vault.mu.Unlock()
	for _, key := range b.of {
		if all[key] == nil {
			b.vault.hopeless[key] = true
		}
	}
	return all, nil
}

// embed asks the embedder and counts what came back.
func (v *Vault) embed(ctx context.Context, texts []string, timeout time.Duration) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	vectors, err := v.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, rein.Errorf(rein.CodeProvider, "embedder %q was given %d texts and returned %d vectors", v.embedder.ID(), len(texts), len(vectors))
	}
	return vectors, nil
}

// windowsOf cuts a text into parts that the embedder reads whole: at least one.
func (v *Vault) windowsOf(text string) []string {
	parts := v.windows(text)
	if len(parts) == 0 {
		return []string{text}
	}
	return parts[:min(len(parts), maxParts)]
}

// plainWindows cuts a text at blanks into parts of about 1000 characters, which is what 256 tokens
// hold.
func plainWindows(text string) []string {
	const most = 1000
	var parts []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end, n := 0, 0
		for end < len(text) && n < most {
			_, size := utf8.DecodeRuneInString(text[end:])
			end, n = end+size, n+1
		}
		if end < len(text) {
			if blank := strings.LastIndexAny(text[:end], " \n"); blank > end/2 {
				end = blank
			}
		}
		parts = append(parts, text[:end])
		text = text[end:]
	}
	return parts
}
