package basics_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/tool/basics"
)

// reader is read_result over one result with handle "7".
func reader(t *testing.T, text string) rein.Tool {
	t.Helper()
	read, err := basics.ReadResult(func(ctx context.Context, inv rein.Invocation, handle string) (string, error) {
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case handle == "lost":
			return "", rein.Errorf(rein.CodeUnavailable, "the store is closed")
		case handle != "7" || inv.Run != "r1":
			return "", rein.Errorf(rein.CodeNotFound, "no step %q", handle)
		}
		return text, nil
	})
	must(t, err)
	return read
}

func pageOf(t *testing.T, done rein.Done) (page basics.Page) {
	t.Helper()
	must(t, json.Unmarshal(done.Data, &page))
	return page
}

func TestReadResult(t *testing.T) {
	read := reader(t, "0123456789")
	if read.Effect != rein.Pure {
		t.Error(read.Effect)
	}
	five := 5
	for args, want := range map[string]struct {
		text string
		page basics.Page
	}{
		`{"handle":"7"}`:                       {"0123456789\n[bytes 0 to 10 of 10: the end]", basics.Page{Bytes: 10}},
		`{"handle":"7","limit":5}`:             {"01234\n[bytes 0 to 5 of 10; go on with offset 5]", basics.Page{Bytes: 5, Next: &five}},
		`{"handle":"7","offset":3,"limit":2}`:  {"34\n[bytes 3 to 5 of 10; go on with offset 5]", basics.Page{Offset: 3, Bytes: 2, Next: &five}},
		`{"handle":"7","offset":9}`:            {"9\n[bytes 9 to 10 of 10: the end]", basics.Page{Offset: 9, Bytes: 1}},
		`{"handle":"7","offset":5,"limit":99}`: {"56789\n[bytes 5 to 10 of 10: the end]", basics.Page{Offset: 5, Bytes: 5}},
	} {
		done, err := call(t, read, "%s", args)
		if err != nil || done.Text != want.text {
			t.Errorf("%s: %q, want %q (%v)", args, done.Text, want.text, err)
			continue
		}
		want.page.Handle, want.page.Total = "7", 10
		if diff := cmp.Diff(want.page, pageOf(t, done)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
	if done, err := call(t, reader(t, ""), `{"handle":"7"}`); err != nil || done.Text != "[the result is empty]" {
		t.Error(done.Text, err)
	}
}

// Reading on by the offsets that it tells gives the whole text, in whole characters, and no page is
// so long that it would be clipped again.
//
// Covers: HUM-40
func TestReadResultFromEndToEnd(t *testing.T) {
	const text = "aé日😀\n"
	for _, limit := range []int{1, 2, 3, 4, 5, 7, 8000, 12000} {
		whole := strings.Repeat(text, 20)
		if limit > 100 {
			whole = strings.Repeat(text, 5000)
		}
		read, got := reader(t, whole), ""
		for offset, pages := 0, 0; ; pages++ {
			if pages > len(whole) {
				t.Fatal("it goes round in a circle")
			}
			done, err := call(t, read, `{"handle":"7","offset":%d,"limit":%d}`, offset, limit)
			must(t, err)
			page := pageOf(t, done)
			piece := done.Text[:page.Bytes]
			if !utf8.ValidString(piece) || page.Offset != offset || len(done.Text) > 12_000 || len(piece) > max(limit, utf8.UTFMax) {
				t.Fatalf("limit %d: %d bytes, %+v", limit, len(done.Text), page)
			}
			got += piece
			if page.Next == nil {
				break
			}
			offset = *page.Next
		}
		if got != whole {
			t.Errorf("limit %d: %d bytes of %d", limit, len(got), len(whole))
		}
	}
	// An offset inside a character begins with that character.
	for offset := range 4 {
		done, err := call(t, reader(t, "😀b"), `{"handle":"7","offset":%d,"limit":1}`, offset)
		if err != nil || !strings.HasPrefix(done.Text, "😀\n") {
			t.Errorf("offset %d: %q %v", offset, done.Text, err)
		}
	}
}

func TestReadResultFinds(t *testing.T) {
	text := "first line\r\n  an Error here, error there\n" + strings.Repeat("é", 100) + "ERROR" + strings.Repeat("日", 100) + "\nlast"
	done, err := call(t, reader(t, text), `{"handle":"7","find":"error"}`)
	must(t, err)
	want := "offset 17: an Error here, error there\noffset 29: an Error here, error there\noffset 241: " + strings.Repeat("é", 40) + "ERROR" + strings.Repeat("日", 26) + "\n[3 of 3 places; read on at one with offset]"
	if diff := cmp.Diff(want, done.Text); diff != "" {
		t.Error(diff)
	}
	page := pageOf(t, done)
	if len(page.Places) != 3 || page.Next != nil || page.Total != len(text) {
		t.Errorf("%+v", page)
	}
	for _, p := range page.Places {
		if !strings.EqualFold(text[p.Offset:p.Offset+5], "error") {
			t.Errorf("%d is not a place", p.Offset)
		}
	}
	for args, want := range map[string]string{
		`{"handle":"7","find":"error","offset":18}`: "[2 of 2 places",
		`{"handle":"7","find":"nothing"}`:           `["nothing" is not in bytes 0 to `,
		`{"handle":"7","find":".*"}`:                `[".*" is not in`,
		`{"handle":"7","find":"line\r\n  an"}`:      "offset 6: first line    an Error here, error there",
		`{"handle":"7","find":"\ud83d"}`:            "is not in",
	} {
		if done, err := call(t, reader(t, text), "%s", args); err != nil || !strings.Contains(done.Text, want) {
			t.Errorf("%s: %q, want %q (%v)", args, done.Text, want, err)
		}
	}
}

// Many places come in pages too.
func TestReadResultFindsMany(t *testing.T) {
	for n, want := range map[int]string{20: "[20 of 20 places; read", 21: "[20 of 21 places; go on with offset ", 5000: "[20 of more than 1000 places; go on"} {
		read := reader(t, strings.Repeat("x y\n", n))
		done, err := call(t, read, `{"handle":"7","find":"Y"}`)
		must(t, err)
		lines := strings.Split(done.Text, "\n")
		if len(lines) != 21 || !strings.HasPrefix(lines[20], want) || len(done.Text) > 12_000 {
			t.Errorf("%d: %d lines, at the end %q", n, len(lines), lines[len(lines)-1])
		}
	}
	done, err := call(t, reader(t, strings.Repeat("x y\n", 21)), `{"handle":"7","find":"y","offset":79}`)
	if err != nil || !strings.HasPrefix(done.Text, "offset 82: x y\n[1 of 1") {
		t.Errorf("%q %v", done.Text, err)
	}
}

func TestReadResultRefuses(t *testing.T) {
	read := reader(t, "0123456789")
	for args, want := range map[string]string{
		`{"handle":""}`: "is no handle:", `{}`: "is no handle:", `{"handle":"a b"}`: `read_result {"handle":"7"}`, `{"handle":"a\nb"}`: `"a\nb" is no handle:`,
		`{"handle":"8"}`: `"8" is no handle of a result of this session`,
	} {
		if _, err := call(t, read, "%s", args); rein.CodeOf(err) != rein.CodeNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	for _, offset := range []int{-1, 10, 11, 1 << 40} {
		if _, err := call(t, read, `{"handle":"7","offset":%d}`, offset); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), "use 0 to 9") {
			t.Errorf("offset %d: %v", offset, err)
		}
	}
	if _, err := call(t, read, `{"handle":"lost"}`); rein.CodeOf(err) != rein.CodeUnavailable || !strings.Contains(err.Error(), `"lost"`) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read.Do(ctx, rein.Invocation{Args: json.RawMessage(`{"handle":"7"}`)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := basics.ReadResult(nil); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
}

// Whatever the text and the arguments, it ends with a page or an error.
func FuzzReadResult(f *testing.F) {
	f.Add("héllo\nworld", 1, 3, "")
	f.Add("\xff\x80\x80\x80\x80\x80", 3, 1, "\xff")
	f.Add("\x80\x80\x80\x80\x80\x80", 1, 1, "")
	f.Add("aaa", 0, 0, "A")
	f.Fuzz(func(t *testing.T, text string, offset, limit int, find string) {
		raw, err := json.Marshal(map[string]any{"handle": "7", "offset": offset, "limit": limit, "find": find})
		must(t, err)
		done, err := call(t, reader(t, text), "%s", raw)
		if err != nil {
			if rein.CodeOf(err) != rein.CodeInvalid {
				t.Fatal(err)
			}
			return
		}
		page := pageOf(t, done)
		if len(done.Text) > 12_000 && len(find) < 200 || page.Next != nil && *page.Next <= offset {
			t.Fatalf("%+v, %d bytes", page, len(done.Text))
		}
	})
}
