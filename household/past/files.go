package past

import (
	"context"
	"encoding/json"
	"slices"

	"rein"
	"rein/journal"
	"rein/store"
)

// A File is a file that a run has read or written, and the SHA-256 of what it held then. Of one that it removed the
// hash is empty.
type File struct{ Path, Hash string }

// writers are the tools whose data lists the files that they wrote.
var writers = []string{"write_file", "edit_file", "apply_patch"}

// Files returns what a run knows of files by its log, the oldest first.
func Files(ctx context.Context, r store.Logs, run rein.RunID) (all []File, err error) {
	var steps journal.Steps
	for e, err := range r.Events(ctx, run, 0) {
		if err != nil {
			return nil, notMissing(err)
		}
		step := steps.See(e)
		if step.Over() && step.Call() != nil && step.End.Result != nil && step.End.Result.Status == rein.ToolOK {
			all = append(all, filesOf(step.Tool, step.End.Result)...)
		}
	}
	return all, nil
}

// filesOf returns what a result says of files. A large file that was read in part has no hash.
func filesOf(tool string, result *rein.ToolResult) (all []File) {
	if slices.Contains(writers, tool) {
		var written []struct{ Path, After string }
		if json.Unmarshal(result.Data, &written) != nil {
			return nil
		}
		for _, f := range written {
			all = append(all, File{f.Path, hashOf(f.After)})
		}
		return all
	}
	var read File
	if result.Evidence != rein.EvidenceFile || json.Unmarshal(result.Data, &read) != nil || read.Hash == "" {
		return nil
	}
	return []File{read}
}

// hashOf is a mark without what it says of the file's mode.
func hashOf(mark string) string {
	const hex = 64
	return mark[:min(len(mark), hex)]
}
