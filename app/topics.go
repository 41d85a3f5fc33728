package app

import (
	"encoding/json"

	"rein"
	"rein/api"
)

// familyTopics says what the tools of a family change outside of runs.
var familyTopics = map[string]api.Topic{
	"agenda": api.TopicAgenda, "cron": api.TopicSchedules, "memory": api.TopicMemory, "preferences": api.TopicMemory, "lists": api.TopicLists,
}

// topicOf says what a call has changed in the tables of a household, and whether others of the household see it too.
func (o *owner) topicOf(name string, result rein.ToolResult) (topic api.Topic, wide bool) {
	t, known := o.worker.Tools[name]
	if !known || !t.Writes {
		return "", false
	}
	topic = familyTopics[t.FamilyName()]
	var changed struct {
		Private bool `json:"private"`
		Shared  bool `json:"shared"`
	}
	_ = json.Unmarshal(result.Data, &changed) // others have other data
	return topic, topic == api.TopicLists && !changed.Private || topic == api.TopicAgenda && changed.Shared
}
