// The C++ library in host code, with a little of it in the kernel; every header must parse in both passes.
#include <vector>
#include <algorithm>
#include <numeric>
#include <random>
#include <functional>
#include <chrono>
#include <iostream>
#include <iomanip>
#include <string>
#include <sstream>
#include <fstream>
#include <map>
#include <unordered_map>
#include <memory>
#include <thread>
#include <mutex>
#include <atomic>
#include <array>
#include <tuple>
#include <utility>
#include <type_traits>
#include <limits>
#include <complex>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <variant>
#include <any>
#include <string_view>
#include <filesystem>
#include <regex>
#include <future>
#include <condition_variable>
#include <bitset>
#include <set>
#include <unordered_set>
#include <queue>
#include <stack>
#include <deque>
#include <list>
#include <forward_list>
#include <stdexcept>
#include <cassert>
#include <cstdint>
#include <climits>
#include <cfloat>
#include <valarray>
#include <initializer_list>
#include <iterator>
#include <exception>
#include <system_error>
#include <ratio>
#include <charconv>
#include <locale>
#include <codecvt>
#include <typeinfo>
#include <typeindex>
#include <new>
#include <scoped_allocator>
#include <shared_mutex>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <ctime>
#include <cwchar>
#include <cwctype>
#include <clocale>
#include <cfenv>
#include <cinttypes>
#include <csetjmp>
#include <cstdio>
#include <execution>
#include <memory_resource>
#include <unistd.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <pthread.h>
#include <math.h>
#include <immintrin.h>

__global__ void fill(double *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = std::sqrt(double(i)) + std::numeric_limits<float>::epsilon() + std::max(i, 3) + std::min(1.0, 2.0);
}
struct Timer {
    std::chrono::high_resolution_clock::time_point start = std::chrono::high_resolution_clock::now();
    double seconds() const { return std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - start).count(); }
};
int main() {
    std::mt19937 engine(42);
    std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
    std::normal_distribution<double> normal(0.0, 1.0);
    std::vector<float> values(100);
    std::generate(values.begin(), values.end(), [&] { return uniform(engine); });
    std::sort(values.begin(), values.end(), std::greater<float>());
    double sum = std::accumulate(values.begin(), values.end(), 0.0) + normal(engine);
    std::map<std::string, int> counts;
    counts["a"]++;
    std::unordered_map<int, std::unique_ptr<int>> owned;
    owned[1] = std::make_unique<int>(3);
    std::shared_ptr<std::string> shared = std::make_shared<std::string>("text");
    std::function<double(double)> f = [](double x) { return std::sin(x) + std::pow(x, 2) + std::abs(-x) + std::fabs(x); };
    std::thread t([] { std::cout << "thread\n"; });
    t.join();
    std::complex<float> z(1, 2);
    z = std::exp(z) * z;
    std::optional<int> maybe = 3;
    std::variant<int, std::string> either = "text";
    std::atomic<int> counter{0};
    counter++;
    std::ostringstream stream;
    stream << std::setprecision(3) << std::fixed << sum << std::abs(z) << *maybe << either.index() << f(2) << counter;
    std::cout << stream.str() << std::endl;
    std::tuple<int, double> pair{1, 2.0};
    auto [a, b] = pair;
    std::array<int, 4> fixed{1, 2, 3, 4};
    std::filesystem::path path = "/tmp";
    if (std::isnan(sum) || std::isinf(b) || std::signbit(a) || isnan(sum)) throw std::runtime_error("bad");
    double *p;
    cudaMallocManaged(&p, 128 * sizeof *p);
    Timer timer;
    fill<<<1, 128>>>(p, 128);
    cudaDeviceSynchronize();
    std::cout << p[9] << " " << (timer.seconds() < 100) << fixed.size() << path << "\n";
    std::shuffle(values.begin(), values.end(), engine);
    std::iota(fixed.begin(), fixed.end(), 5);
    std::transform(values.begin(), values.end(), values.begin(), [](float v) { return std::exp(v) + expf(v) + logf(v + 1); });
    return std::all_of(values.begin(), values.end(), [](float v) { return v > 0; }) ? 0 : 1;
}
