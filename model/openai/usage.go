package openai

import "rein"

// usage is what both APIs and their imitators say that a call took.
type usage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Input      int64 `json:"input_tokens"`
	Output     int64 `json:"output_tokens"`
	Total      int64 `json:"total_tokens"`
	CacheHit   int64 `json:"prompt_cache_hit_tokens"` // DeepSeek

	PromptParts     *usageParts `json:"prompt_tokens_details"`
	CompletionParts *usageParts `json:"completion_tokens_details"`
	InputParts      *usageParts `json:"input_tokens_details"`
	OutputParts     *usageParts `json:"output_tokens_details"`
}

type usageParts struct {
	Cached     int64 `json:"cached_tokens"`
	CacheWrite int64 `json:"cache_write_tokens"`
	Reasoning  int64 `json:"reasoning_tokens"`
}

// rein returns the usage, or nil if nothing was said. Some servers do not count reasoning as output
// but in the total: whatever is not input is output.
func (u *usage) rein() *rein.Usage {
	if u == nil {
		return nil
	}
	out := &rein.Usage{Input: max(u.Prompt, u.Input, 0), Output: max(u.Completion, u.Output, 0), Cached: max(u.CacheHit, 0)}
	for _, p := range []*usageParts{u.PromptParts, u.InputParts, u.CompletionParts, u.OutputParts} {
		if p != nil {
			out.Cached = max(out.Cached, p.Cached)
			out.CacheWrite = max(out.CacheWrite, p.CacheWrite)
			out.Reasoning = max(out.Reasoning, p.Reasoning)
		}
	}
	out.Output = max(out.Output, u.Total-out.Input)
	if out.Input == 0 && out.Output == 0 {
		return nil
	}
	out.Cached = min(out.Cached, out.Input)
	out.Reasoning = min(out.Reasoning, out.Output)
	return out
}
