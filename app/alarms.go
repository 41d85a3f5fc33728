package app

import (
	"rein/follow/alarms"
	"rein/household/agenda"
)

// newRinger makes what writes the messages of alarms.
func (s *Service) newRinger() *alarms.Ringer {
	return &alarms.Ringer{Book: agenda.Book{Tables: s.store}, Log: s.log, Where: func(string, string) (language, zone string) {
		settings, _ := s.live.now()
		return settings.Language, settings.Zone
	}}
}
