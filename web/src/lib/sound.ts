// A short sound for a move, made by the browser itself. Off until the visitor turns it on.

let context: AudioContext | null = null;

export function isOn(): boolean {
  return localStorage.getItem("sound") === "on";
}

export function turn(on: boolean) {
  localStorage.setItem("sound", on ? "on" : "off");
  if (on) play("own");
}

/** Plays the sound of one's own move, of another's, or of the end. */
export function play(what: "own" | "other" | "end") {
  if (!isOn()) return;
  context ??= new AudioContext();
  const notes = { own: [440], other: [330], end: [392, 523] }[what];
  notes.forEach((pitch, at) => {
    const start = context!.currentTime + at * 0.14;
    const tone = context!.createOscillator();
    const gain = context!.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.18, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.12);
    tone.connect(gain).connect(context!.destination);
    tone.start(start);
    tone.stop(start + 0.13);
  });
}
