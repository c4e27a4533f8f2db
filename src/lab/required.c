#include "lab/required.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/declared.h"

static bool is_wanted(const Lab *lab, const char *name) { return goals_kernel(lab->goals, name) >= 0; }

/* The first kernel that the file should define and does not, or NULL. *found: how many it has. */
static const char *missing_kernel(const Lab *lab, uint32_t *found) {
    const Program *program = lab->source.program;
    const char *missing = NULL;
    *found = 0;
    for (uint32_t k = 0; k < lab->goals->n_kernels; k++) {
        bool has = false;
        for (uint32_t i = 0; i < program->n_functions; i++) {
            const Function *function = &program->functions[i];
            has |= function->is_entry && function->is_defined && strcmp(function->name, lab->goals->kernels[k]) == 0;
        }
        *found += has;
        if (!has && !missing) missing = lab->goals->kernels[k];
    }
    return missing;
}

/* What the text has in place of the kernel. */
static bool say_missing(const Lab *lab, const char *name, Diag *diag) {
    const char *text = lab->source.text ? lab->source.text : "";
    uint32_t kernel = declared_line(text, name, "__global__"), function = declared_line(text, name, "void ");
    uint32_t line = kernel ? kernel : function;
    diag_error(diag, lab->name, line, 0, "the file does not define the kernel '%s'", name);
    if (kernel && declared_line(text, name, "template") == kernel)
        return diag_hint(diag, "line %u makes it a template: the lab launches extern \"C\" __global__ void %s", line, name);
    if (kernel)
        return diag_hint(diag, "line %u has it, but the compiler saw no body of it: is it in a comment or an #if?", line);
    if (function) return diag_hint(diag, "line %u has it without __global__, which makes a function a kernel", line);
    return diag_hint(diag, "put it back as the exercise has it, also when it is not done yet");
}

/* name: of a kernel of the file that the lab does not ask for. plain: the same without parameters. */
static bool say_unwanted(const Lab *lab, const char *name, const char *plain, const char *missing, Diag *diag) {
    const char *text = lab->source.text ? lab->source.text : "";
    uint32_t line = declared_line(text, plain, "__global__");
    diag_error(diag, lab->name, line, 0, "the lab does not ask for a kernel '%.100s'", name);
    if (strstr(plain, "::") && !strstr(text, "namespace"))
        return diag_hint(diag, "it comes with a header that the file includes: leave the #include out, the lab needs none");
    if (is_wanted(lab, plain)) return diag_hint(diag, "it needs the words extern \"C\" in front and no template");
    if (missing) return diag_hint(diag, "'%s' is missing: was its name changed?", missing);
    return diag_hint(diag, "make it a __device__ function and call it from a kernel that the lab asks for");
}

bool required_kernels(const Lab *lab, Diag *diag) {
    const Program *program = lab->source.program;
    const char *number = lab->goals->number;
    uint32_t found;
    const char *missing = missing_kernel(lab, &found);
    for (uint32_t i = 0; i < program->n_functions; i++) {
        const Function *function = &program->functions[i];
        if (!function->is_entry || !function->is_defined || is_wanted(lab, function->name)) continue;
        FREED char *name = program_demangle(function->name);
        char plain[128];
        snprintf(plain, sizeof plain, "%.*s", (int)strcspn(name, "(<"), name);
        if (found || is_wanted(lab, plain)) {
            say_unwanted(lab, name, plain, missing, diag);
        } else {
            diag_error(diag, lab->name, 0, 0, "the file has '%.100s' and none of the kernels that lab %s asks for", plain,
                       number);
            diag_hint(diag, "is it the file of another lab? make reset LAB=%s puts the exercise back", number);
        }
        return false;
    }
    return !missing || say_missing(lab, missing, diag);
}
