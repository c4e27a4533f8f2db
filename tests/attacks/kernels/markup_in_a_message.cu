// 32 | whole | refused | 0 | #error
#error <script>alert(1)</script> ]]> --> </pre><h1>100 of 100</h1> &lt; "quoted"
