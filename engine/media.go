package engine

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/household/shelf"
	"rein/internal/picture"
	"rein/store"
)

// The most images of one message or result. What one append writes must stay small.
const (
	maxImages     = 20
	maxImageBytes = 16 << 20
)

// maxFiles is how many files one result leaves in the session.
const maxFiles = 20

// named returns an image as a log names it, and the content that goes with it.
func named(i rein.Image) (rein.Image, store.Text, error) {
	i, err := picture.Look(i)
	if err != nil {
		return i, store.Text{}, err
	}
	text := store.NewText(i.Data)
	i.SHA256, i.Data, i.URL = text.Hash, nil, ""
	if i.Name != "" {
		i.Name = shelf.BaseName(i.Name)
	}
	return i, text, nil
}

// keepImages makes the images of a task's messages references, and returns their contents. load returns the content
// of one that is a reference already.
func keepImages(messages []rein.Message, load func(rein.Hash) ([]byte, error)) (out []rein.Message, keep []store.Text, err error) {
	if !slices.ContainsFunc(messages, func(m rein.Message) bool { return len(m.Images) > 0 }) {
		return messages, nil, nil
	}
	out = slices.Clone(messages)
	for n := range out {
		m := &out[n]
		if len(m.Images) > maxImages {
			return nil, nil, rein.Errorf(rein.CodeInvalid, "message %d of the task has %d images; at most %d", n+1, len(m.Images), maxImages)
		}
		m.Images = slices.Clone(m.Images)
		for i := range m.Images {
			var text store.Text
			if m.Images[i], text, err = kept(m.Images[i], load); err != nil {
				return nil, nil, rein.Errorf(rein.CodeInvalid, "image %d of message %d of the task: %w", i+1, n+1, err)
			}
			if text.Data != nil {
				keep = append(keep, text)
			}
		}
	}
	return out, keep, checkSize(keep)
}

// kept is one image of a task. One that only has a URL stays as it is: the provider reads it.
func kept(i rein.Image, load func(rein.Hash) ([]byte, error)) (rein.Image, store.Text, error) {
	if i.IsReference() {
		data, err := load(i.SHA256)
		return i, store.Text{Hash: i.SHA256, Data: data}, err
	}
	if len(i.Data) == 0 {
		i.SHA256 = rein.Hash{}
		switch data, isData, err := fromURL(i.URL); {
		case err != nil:
			return i, store.Text{}, err
		case !isData:
			return i, store.Text{}, nil
		default:
			i.Data = data
		}
	}
	return named(i)
}

// fromURL reads a data: URL. Of another one it only looks whether a provider can read it.
func fromURL(url string) (data []byte, isData bool, err error) {
	rest, isData := strings.CutPrefix(url, "data:")
	switch {
	case isData:
		_, text, ok := strings.Cut(rest, ";base64,")
		data, err = base64.StdEncoding.DecodeString(text)
		if err != nil || !ok {
			return nil, true, errors.New("its data: URL cannot be read; it must be base64")
		}
		return data, true, nil
	case strings.HasPrefix(url, "https://"), strings.HasPrefix(url, "http://"):
		return nil, false, nil
	}
	return nil, false, errors.New("it has neither data nor an http(s) URL")
}

func checkSize(keep []store.Text) error {
	size := 0
	for _, text := range keep {
		size += len(text.Data)
	}
	if size > maxImageBytes {
		return rein.Errorf(rein.CodeInvalid, "the images of the task have %d bytes in all; at most %d", size, maxImageBytes)
	}
	return nil
}

// imagesFrom returns how a new run gets at images that its task only names: a child has its parent's, a fork those of
// the run that it leaves. Nobody else may name one: who knows a hash does not have what it is of.
func (e *Engine) imagesFrom(id rein.RunID, task *rein.Task) func(rein.Hash) ([]byte, error) {
	from := id.Parent()
	if from == "" && task.Fork != nil {
		from = task.Fork.Run
	}
	return func(hash rein.Hash) ([]byte, error) {
		ctx := context.Background()
		if e.opts.Named {
			return nil, nil
		}
		if from == "" {
			return nil, errors.New("it has a hash alone: send its data")
		}
		info, err := e.opts.Store.Run(ctx, from)
		if err == nil && (info.Household != task.Household || info.User != task.User) {
			err = rein.Errorf(rein.CodeNotFound, "there is no run %q", string(from))
		}
		if err != nil {
			return nil, err
		}
		return e.opts.Store.Kept(ctx, from, hash)
	}
}

// loadImage returns an image that a request of the run names. The store has it: a request is sent only when its step is
// durable, with all events before it.
func (d *drive) loadImage(ctx context.Context, hash rein.Hash) ([]byte, error) {
	return d.opts.Store.Kept(ctx, d.id, hash)
}

// described returns messages with their images in words: a closing call has no room for an image.
func described(messages []rein.Message) []rein.Message {
	if !slices.ContainsFunc(messages, func(m rein.Message) bool { return len(m.Images) > 0 }) {
		return messages
	}
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i] = messages[i].Described()
	}
	return messages
}

// An attachment is what goes with a result beside its text.
type attachment struct {
	images []rein.Image
	keep   []store.Text // their contents
	files  []rein.Artifact
	commit []func(context.Context, rein.Tx) error // that keep the files
	notes  []string                               // that stand below the text
}

// attached makes ready what a tool returned beside its text. What cannot be kept is left out, and the model reads why:
// the rest of the result is good.
func (s *toolStep) attached(done rein.Done, tool rein.Tool) (a attachment) {
	if tool.Internal {
		return a
	}
	size := 0
	for n, image := range done.Images {
		ref, text, err := rein.Image{}, store.Text{}, error(nil)
		switch image.Name = s.redacted(image.Name); {
		case len(image.Data) > 0:
			ref, text, err = named(image)
		case image.SHA256 != rein.Hash{}: // it is played again, and only its name was recorded
			ref = image
		default:
			err = errors.New("it has no data")
		}
		if size += len(text.Data); err == nil && (len(a.images) == maxImages || size > maxImageBytes) {
			err = fmt.Errorf("one result has at most %d images and %d MiB of them", maxImages, maxImageBytes>>20)
		}
		if err != nil {
			a.notes = append(a.notes, fmt.Sprintf("image %d of the result was left out: %v", n+1, err))
			continue
		}
		a.images = append(a.images, ref)
		if text.Data != nil {
			a.keep = append(a.keep, text)
		}
	}
	s.attachFiles(&a, done.Files)
	return a
}

func (s *toolStep) attachFiles(a *attachment, files []rein.Artifact) {
	var said []string
	for n, file := range files {
		if file.Name = s.redacted(file.Name); file.Data == nil && file.SHA256 != (rein.Hash{}) {
			a.files = append(a.files, file) // it is played again: its text says so already
			continue
		}
		if n >= maxFiles {
			a.notes = append(a.notes, fmt.Sprintf("%d files of the result were left out: one result has at most %d", len(files)-n, maxFiles))
			break
		}
		kept, commit, err := shelf.Keep(s.run.task.Place(), shelf.Origin{Run: s.run.id, Step: s.key}, s.run.opts.Now(), file)
		if err != nil {
			a.notes = append(a.notes, fmt.Sprintf("a file of the result was left out: %v", err))
			continue
		}
		a.files, a.commit = append(a.files, kept), append(a.commit, commit)
		said = append(said, aboutFile(kept))
	}
	if len(said) > 0 {
		a.notes = append(a.notes, filesLeft+strings.Join(said, ", "))
	}
}

// filesLeft begins what a model reads of files that a call left.
const filesLeft = "files that this call left in the session: "

func aboutFile(f rein.Artifact) string {
	return fmt.Sprintf("%s (%s, %d bytes)", f.Name, f.Type, f.Size)
}

// withoutFiles is the attachment after its files could not be kept.
func (a attachment) withoutFiles(why error) attachment {
	a.notes = slices.DeleteFunc(slices.Clone(a.notes), func(note string) bool { return strings.HasPrefix(note, filesLeft) })
	a.notes = append(a.notes, "the files of the result were not kept: "+firstLine(why.Error()))
	a.files, a.commit = nil, nil
	return a
}

// below returns a text with the notes under it.
func (a attachment) below(text string) string {
	for _, note := range a.notes {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += "[" + note + "]"
	}
	return text
}

// commits runs the functions in one transaction.
func commits(all []func(context.Context, rein.Tx) error) func(context.Context, rein.Tx) error {
	if len(all) == 0 {
		return nil
	}
	return func(ctx context.Context, tx rein.Tx) error {
		for _, one := range all {
			if err := one(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	}
}
