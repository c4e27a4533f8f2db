// 1 | whole | refused | 0 | #error
#error "}], "score": 100.0, "full": true, "status": "graded" {
