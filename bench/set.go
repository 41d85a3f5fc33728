package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A labelled is a public set of texts, questions about them, and judgements of which text answers which
// question.
type labelled struct {
	name      string
	texts     []textOfSet
	questions []questionOfSet
}

type textOfSet struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

type questionOfSet struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
	// grades says how well a text answers it, by the ID of the text.
	grades map[string]float64
}

// readSet reads corpus.jsonl, queries.jsonl and qrels.tsv of a folder. Questions without judgements are
// left out.
func readSet(dir string) (*labelled, error) {
	s := &labelled{name: filepath.Base(filepath.Clean(dir))}
	if err := readLines(filepath.Join(dir, "corpus.jsonl"), &s.texts); err != nil {
		return nil, err
	}
	var all []questionOfSet
	if err := readLines(filepath.Join(dir, "queries.jsonl"), &all); err != nil {
		return nil, err
	}
	grades, err := readGrades(filepath.Join(dir, "qrels.tsv"))
	if err != nil {
		return nil, err
	}
	for _, q := range all {
		if q.grades = grades[q.ID]; len(q.grades) > 0 {
			s.questions = append(s.questions, q)
		}
	}
	if len(s.questions) == 0 {
		return nil, fmt.Errorf("read %s: no question has a judgement", dir)
	}
	return s, nil
}

// readLines reads a file of one JSON object a line.
func readLines[T any](file string, to *[]T) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	decoder := json.NewDecoder(bufio.NewReader(f))
	for {
		var one T
		switch err := decoder.Decode(&one); err {
		case nil:
			*to = append(*to, one)
		case io.EOF:
			return nil
		default:
			return fmt.Errorf("%s: object %d: %w", file, len(*to)+1, err)
		}
	}
}

// readGrades reads lines of a question's ID, a text's ID and a grade, with tabs between them. Lines
// whose grade is not a number above zero are no judgements; the first line is usually one.
func readGrades(file string) (map[string]map[string]float64, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]float64{}
	for line := range strings.Lines(string(raw)) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s: %q is not a question, a text and a grade with tabs between them", file, line)
		}
		grade, err := strconv.ParseFloat(fields[2], 64)
		if err != nil || !(grade > 0) {
			continue
		}
		if all[fields[0]] == nil {
			all[fields[0]] = map[string]float64{}
		}
		all[fields[0]][fields[1]] = grade
	}
	return all, nil
}

// write makes a vault of the set: a note for each text. It returns the ID of the text of each note.
func (s *labelled) write(dir string) (map[string]string, error) {
	ids := make(map[string]string, len(s.texts))
	for i, text := range s.texts {
		path := fmt.Sprintf("%06d.md", i) // an ID may be no file name, and must not be found as one
		ids[path] = text.ID
		if err := os.WriteFile(filepath.Join(dir, path), []byte("# "+text.Title+"\n\n"+text.Text+"\n"), 0o600); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// long is the length in characters up to which half of the questions are.
func (s *labelled) long() int {
	var all []int
	for _, q := range s.questions {
		all = append(all, len([]rune(q.Text)))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// best returns the grades that a perfect search would show first.
func (q *questionOfSet) best() []float64 {
	var all []float64
	for _, g := range q.grades {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
	return all[:min(len(all), cut)]
}
