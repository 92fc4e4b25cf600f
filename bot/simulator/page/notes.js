// One line for what is neither text nor picture: places, contacts, clips, words of the server.

const CLIPS = { live_photo: "Live photo", animation: "Animation", video: "Video", video_note: "Round video", voice: "Voice message", audio: "Music" };

export function noteOf(message) {
  if (message.forum_topic_created) return `Opened the topic “${message.forum_topic_created.name}”`;
  if (message.migrate_to_chat_id) return "This group went on as a supergroup";
  if (message.migrate_from_chat_id) return "This supergroup was a group before";
  if (message.location) return "A place on the map";
  if (message.contact) return `Contact: ${message.contact.first_name}`;
  if (message.dice) return `${message.dice.emoji} ${message.dice.value}`;
  const clip = Object.keys(CLIPS).find((kind) => message[kind]);
  return clip ? CLIPS[clip] : "";
}
