import http from 'k6/http';
export const options = { scenarios: { chat: { executor: 'constant-arrival-rate', rate: 8, timeUnit: '1s', duration: '3s', preAllocatedVUs: 8 } } };
export default function () {
  http.post('http://127.0.0.1:8001/v1/chat/completions',
    JSON.stringify({ model: 'synthetic', max_tokens: 16, messages: [{ role: 'user', content: 'Why is the sky blue?' }] }),
    { headers: { 'Content-Type': 'application/json' } });
}
