/* Measures a variant of EDMD: collisions per second of processor time of elastic spheres in a periodic box, once the
 * crystal that it starts from has melted. It is compiled with -DEDMD='"path/of/mdSingle.c"', which it runs as it is. */
#define main main_of_edmd
#include EDMD
#undef main

#include <time.h>

static double processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* SPHERES PACKING TURNS SECONDS: prints the rate of the fastest turn, events per collision, and PV/NkT. */
int main(int count, char **words) {
    if (count != 5) return 2;
    initialconfig = 1;
    N = atoi(words[1]);
    packfrac = atof(words[2]);
    /* Neither a thermostat nor output within the run. */
    thermostatinterval = writeinterval = 1e9;
    init();
    while (colcounter < 5.0 * N) step();
    double best = 0.0, begin = simtime, transfer = dvtot;
    unsigned long events = 0, collisions = 0;
    for (int turn = 0; turn < atoi(words[3]); turn++) {
        unsigned int first = colcounter;
        double begun = processor_time(), took;
        do {
            for (int k = 0; k < 10000; k++) step();
            events += 10000;
            took = processor_time() - begun;
        } while (took < atof(words[4]));
        collisions += colcounter - first;
        double rate = (colcounter - first) / took;
        if (rate > best) best = rate;
    }
    double virial = -(dvtot - transfer) / (3.0 * N * (simtime - begin));
    printf("\nmeasured %.0f %.3f %.4f\n", best, (double)events / collisions, 1.0 + virial);
    return 0;
}
