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

// topicOf says what a step has changed in the tables of a household, and whether others of the household see it too.
func (o *owner) topicOf(end rein.StepEnd) (topic api.Topic, wide bool) {
	t, known := o.worker.Tools[end.Tool]
	if !known || !t.Writes || end.Result == nil {
		return "", false
	}
	topic = familyTopics[t.FamilyName()]
	var changed struct {
		Private bool `json:"private"`
		Shared  bool `json:"shared"`
	}
	_ = json.Unmarshal(end.Result.Data, &changed) // others have other data
	return topic, topic == api.TopicLists && !changed.Private || topic == api.TopicAgenda && changed.Shared
}
