// Reads codes with the camera: by the browser's own detector, or else frame by frame by the server.
import { announce, csrf, on, part } from './page.js';

const video = part('camera-view');
const FORMATS = ['ean_8', 'ean_13', 'upc_a', 'itf', 'code_128', 'qr_code', 'data_matrix'];
// What the server limits a frame to, and the same code for this long is the same thing.
const MOST_BYTES = 102400;
const SAME_MS = 2500;

let stream = null;
let count = 0;
let last = {};
let sound = null;

const pause = (ms) => new Promise((resume) => { setTimeout(resume, ms); });

// A short tone, so that nobody has to look.
function beep() {
  sound ??= new AudioContext();
  const tone = sound.createOscillator();
  tone.frequency.value = 1000;
  tone.connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.1);
}

const canvas = document.createElement('canvas');
async function readByServer() {
  const { videoWidth: width, videoHeight: height } = video;
  const scale = Math.min(1, 1024 / Math.max(width, height));
  Object.assign(canvas, { width: width * scale, height: height * scale });
  canvas.getContext('2d').drawImage(video, 0, 0, canvas.width, canvas.height);
  let frame;
  for (let quality = 0.8; quality > 0 && !(frame?.size <= MOST_BYTES); quality -= 0.2) {
    frame = await new Promise((take) => { canvas.toBlob(take, 'image/jpeg', quality); });
  }
  const headers = { 'content-type': 'image/jpeg', 'x-csrf-token': csrf() };
  const answer = await fetch('/api/v1/scan', { method: 'POST', body: frame, headers });
  if (!answer.ok) await pause(2000);
  return answer.ok ? (await answer.json()).codes.filter(({ gtin }) => gtin).map(({ text }) => text) : [];
}

async function reader() {
  const known = await window.BarcodeDetector?.getSupportedFormats().catch(() => []) ?? [];
  const formats = FORMATS.filter((format) => known.includes(format));
  if (!formats.includes('ean_13')) return readByServer;
  const detector = new BarcodeDetector({ formats });
  return async () => (await detector.detect(video)).map(({ rawValue }) => rawValue);
}

function stop() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
  video.hidden = part('camera-stop').hidden = true;
  part('camera-start').hidden = false;
}

function take(code) {
  const form = part('scan');
  const isSame = last.code === code && Date.now() - last.at < SAME_MS;
  last = { code, at: Date.now() };
  if (isSame) return;
  form.elements.code.value = code;
  form.requestSubmit();
  beep();
  part('camera-count').textContent = count += 1;
  if (!part('camera-goes-on').checked) stop();
}

async function start() {
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: 1280 } });
  } catch {
    return announce(part('camera').dataset.denied, true);
  }
  video.srcObject = stream;
  video.hidden = part('camera-stop').hidden = false;
  part('camera-start').hidden = true;
  await video.play();
  const read = await reader();
  while (stream) {
    // An unknown code is named, and the last one is sent, before the next one is read.
    const isBusy = part('name-it') || part('scan').hasAttribute('aria-busy');
    const codes = isBusy ? [] : await read().catch(() => []);
    if (stream && codes.length) take(codes[0]);
    await pause(150);
  }
}

// What is typed next goes into the question about a new code, or is the next code.
let asked;
on('larder:shown', () => {
  const { code, name } = part('name-it')?.elements ?? {};
  if (code && code.value !== asked) name.focus();
  else if (!stream && document.activeElement === document.body) part('scan-code').focus();
  asked = code?.value;
});

// Over plain http, as many homes have it, there is no camera.
part('camera').hidden = !navigator.mediaDevices?.getUserMedia;
part('camera-start').addEventListener('click', start);
part('camera-stop').addEventListener('click', stop);
