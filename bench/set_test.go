package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rein/vault"
)

func writeSet(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A set is three files; what is wrong with one is said with its name.
func TestSetOfThreeFiles(t *testing.T) {
	good := map[string]string{
		"corpus.jsonl":  `{"_id":"a/1","title":"Herons","text":"They fish."}` + "\n" + `{"_id":"b","title":"Otters","text":"They swim."}` + "\n",
		"queries.jsonl": `{"_id":"q1","text":"what fishes"}` + "\n" + `{"_id":"q2","text":"who is not judged"}` + "\n",
		"qrels.tsv":     "query-id\tcorpus-id\tscore\nq1\ta/1\t2\nq1\tb\t0\n",
	}
	var out, log strings.Builder
	b := &bench{out: &out, log: &log, dir: t.TempDir(), reps: 1, sizes: tiny, set: writeSet(t, good)}
	if err := b.notes(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkTables(t, "notes", out.String())
	if !strings.Contains(out.String(), "of 1 questions about the 2 texts") || !strings.Contains(out.String(), "| **rein, as shipped** | all | 1.000 |") {
		t.Error(out.String())
	}
	for name, bad := range map[string]string{"corpus.jsonl": "{}\n{", "queries.jsonl": "[]", "qrels.tsv": "q1 a/1 1\n"} {
		files := map[string]string{name: bad}
		for other, text := range good {
			if other != name {
				files[other] = text
			}
		}
		if _, err := readSet(writeSet(t, files)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s of %q: %v", name, bad, err)
		}
	}
}

// The default must beat words alone, on short questions and on long ones. Short are the 68 questions about
// the sample vault, which were written by hand; long are the second halves of our decisions, each of which
// should find its first half.
//
// Plain: it compares figures; the tests of vault search under the race detector.
func TestSearchBeatsWordsAlone(t *testing.T) {
	home, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	whole := readVault(t, filepath.Join(home, labelsVault))
	short := &labelled{texts: whole}
	asked, err := readQuestions(filepath.Join(home, labelsFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range asked {
		grades := map[string]float64{}
		for _, path := range q.notes {
			grades[path] = 1
		}
		short.questions = append(short.questions, questionOfSet{Text: q.text, grades: grades})
	}
	long := halves(t, filepath.Join(home, "docs", "internal", "decisions.md"))
	// The decisions become more, and so harder to tell apart: only what words alone find is a measure there.
	for name, tt := range map[string]struct {
		set          *labelled
		least, ahead float64
	}{"short": {short, 0.89, 0}, "long": {long, 0, 0.05}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, words := measured(t, tt.set)
			t.Logf("%d questions: nDCG@10 %.3f, words alone %.3f", len(tt.set.questions), got, words)
			if least := max(tt.least, words+tt.ahead); got < least {
				t.Errorf("nDCG@10 is %.3f, must be %.3f; words alone are %.3f", got, least, words)
			}
		})
	}
}

// halves makes a text of the first half of each long paragraph of a file, and a question of the second.
func halves(t *testing.T, file string) *labelled {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := &labelled{}
	for i, paragraph := range strings.Split(string(raw), "\n\n") {
		dot := strings.Index(paragraph[len(paragraph)/2:], ". ")
		if len(paragraph) < 400 || dot < 0 {
			continue
		}
		cut := len(paragraph)/2 + dot + 2
		id := strconv.Itoa(i)
		set.texts = append(set.texts, textOfSet{id, "Paragraph", paragraph[:cut]})
		set.questions = append(set.questions, questionOfSet{Text: paragraph[cut:], grades: map[string]float64{id: 1}})
	}
	if len(set.questions) < 20 {
		t.Fatalf("%s has %d long paragraphs", file, len(set.questions))
	}
	return set
}

func readVault(t *testing.T, dir string) (all []textOfSet) {
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".md" {
			return err
		}
		raw, err := os.ReadFile(file)
		path, _ := filepath.Rel(dir, file)
		title, text, _ := strings.Cut(strings.TrimPrefix(string(raw), "# "), "\n")
		all = append(all, textOfSet{filepath.ToSlash(path), title, text})
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("%d notes: %v", len(all), err)
	}
	return all
}

// measured returns the quality of the search as it is shipped, and that of words alone.
func measured(t *testing.T, set *labelled) (shipped, words float64) {
	b := &bench{dir: t.TempDir()}
	folder, err := b.newDir()
	if err != nil {
		t.Fatal(err)
	}
	ids, err := set.write(folder)
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.openNotes(t.Context(), folder, true)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	plain := newPlainBM25(set.texts)
	search := searchIDs(v, ids, vault.Query{})
	var a, b2 mean
	for i := range set.questions {
		q := &set.questions[i]
		found, err := search(context.Background(), q.Text)
		if err != nil {
			t.Fatal(err)
		}
		a.add(q.ndcg(found))
		b2.add(q.ndcg(plain.rank(q.Text)))
	}
	return a.sum / float64(a.n), b2.sum / float64(b2.n)
}
