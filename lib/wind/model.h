/* SPDX-License-Identifier: MIT */
/* What drives the air: a table of models.  wind.c follows the box, steps the model and publishes;
 * nothing outside a model's own files asks which one runs.  A new model is a file and a line in
 * models.c. */
#ifndef FOEHN_LIB_WIND_MODEL_H
#define FOEHN_LIB_WIND_MODEL_H

#include "wind/fields.h"

/* Where a steady model is in pseudo-time, beside its fields: a checkpoint keeps it. */
typedef struct wind_march {
    float dt, time;         /* of the last step, and in all, s */
    foehn_wind_state state; /* that the wind coming in was made for */
} wind_march;

/* The same mean wind comes in, whatever its gusts. */
static inline bool foehn_wind_same_mean(const foehn_wind_state *a, const foehn_wind_state *b)
{
    return !(a->u10 < b->u10) && !(a->u10 > b->u10) && !(a->from < b->from) && !(a->from > b->from);
}

struct wind_model {
    const char *name;

    /* Is this the model of these parameters?  The first row that says so is taken. */
    bool (*takes)(const foehn_wind_params *p);

    /* Bytes of all that a wind of it holds on the device. */
    uint64_t (*memory)(const foehn_wind_params *p, const foehn_grid *g);

    /* Parameters of a wind that is made with it, for what flows in; false: there is none.  NULL:
     * never. */
    bool (*beside)(const foehn_wind_params *p, foehn_wind_params *out);

    /* Its fields and kernels, beside what every wind has; destroy takes what is half made. */
    foehn_status (*create)(foehn_wind *w);
    void (*destroy)(foehn_wind *w);

    /* The ground under the box is another: which faces are open, and what follows from it; NULL:
     * nothing beside the ground's own bytes. */
    foehn_status (*update_ground)(foehn_wind *w);

    /* Move the fields by whole cells; what comes into the box starts from the profile.  A shift by
     * the box's size fills it. */
    foehn_status (*scroll)(foehn_wind *w, const cl_int shift[3]);

    /* Time goes on by dt, and with it what travels. */
    void (*advance)(foehn_wind *w, double dt);

    /* A step of dt in two parts: all up to the pressure, and the gradient of that taken out. */
    foehn_status (*predict)(foehn_wind *w, float dt);
    foehn_status (*project)(foehn_wind *w);

    /* Halves at cell centres, cell (0, 0, 0) at voxel `first`; and project with publish in one
     * launch, which is asked for only where fuses() says that it pays; NULL: nowhere. */
    foehn_wind_pass *publish;
    bool (*fuses)(const foehn_wind *w);
    foehn_wind_pass *project_publish;

    /* The divergence by the model's own operator, and the buffer it is in. */
    foehn_status (*divergence)(foehn_wind *w, cl_mem *out);

    /* Velocity at cell centres: the field itself or scratch, until the next step. */
    foehn_status (*centers)(foehn_wind *w, cl_mem velocity[3]);

    /* Make what is read beside the velocity, where that is not kept while stepping; NULL: it is. */
    foehn_status (*prepare)(foehn_wind *w);

    /* The field at places, as foehn_wind_read_points() says; NULL: from velocity at cell centres.
     */
    foehn_status (*points)(foehn_wind *w, cl_int count, cl_mem places, cl_mem out);

    /* Its fields beside those of every wind, for reading and for checkpoints; returns how many.
     * NULL: none. */
    int (*fields)(const foehn_wind *w, wind_field *fields);

    /* Of models whose fields begin at the first step, else NULL: begin, so that there is something
     * to keep; and go on with a checkpoint's state, box and fields, which are there already. */
    foehn_status (*begin)(foehn_wind *w);
    foehn_status (*take_up)(foehn_wind *w);

    /* Of models in pseudo-time, else NULL.  set: the box and the ground are the checkpoint's
     * already, its fields follow. */
    foehn_status (*get_march)(foehn_wind *w, wind_march *march);
    foehn_status (*set_march)(foehn_wind *w, const wind_march *march);

    /* How far it has come, as foehn_wind_get_progress() says; NULL: the model does not know. */
    foehn_status (*progress)(foehn_wind *w, foehn_wind_progress *progress);

    /* Of models with a turbulence closure, else NULL: the eddy viscosity on y faces; k and it at
     * places, float2; what the ground takes of the wind, as foehn_wind_read_stress() says. */
    foehn_status (*viscosity)(foehn_wind *w, cl_mem *faces);
    foehn_status (*turbulence_points)(foehn_wind *w, cl_int count, cl_mem places, cl_mem out);
    foehn_status (*stress)(foehn_wind *w, float *out);

    /* Whether it can be one of several parts'; the fields beside velocity whose neighbours' cells a
     * step reads, returns how many (NULL: none); and whether a step carries air over as many cells
     * as its dt says. */
    bool in_parts;
    int (*shared)(const foehn_wind *w, cl_mem *fields);
    bool carries;

    /* What lies beyond the box's sides beside cells that have come from neighbours, where it is
     * kept there; NULL: nothing. */
    foehn_status (*ghosts)(foehn_wind *w);

    /* Its cut cells know the ground by the corners of cells; else by the middles of columns. */
    bool corners;

    /* Of models whose k and eddy viscosity are of cells and made when they are read, else NULL: one
     * of them, in scratch. */
    foehn_status (*of_cells)(foehn_wind *w, foehn_wind_field field, cl_mem *out);

    /* Take the current field into the model's own means, as sample n; NULL: it has none. */
    foehn_status (*average)(foehn_wind *w, cl_float n);

    /* Its means have the products of the velocity's components, too: there are eddies in it. */
    bool has_products;

    /* The speed, m/s, that no sound wind of the state has in more than a few cells; 0: no such.
     * NULL: never one. */
    double (*soundest)(const foehn_wind *w);

    /* The height above the ground, m, below which the wind is the log law that the ground's stress
     * is made of; NULL: cells know it there, too. */
    float (*law_to)(const foehn_wind *w);

    /* One component given at cell centres; NULL: it cannot be given. */
    foehn_status (*write_velocity)(foehn_wind *w, int axis, const float *in);

    cl_mem (*pressure)(const foehn_wind *w);

    /* The solve's residual is measured from the next step on (NULL: nothing is to be made ready);
     * that of the last step, last over first (NULL: this model does not know). */
    foehn_status (*measure)(foehn_wind *w, bool on);
    foehn_status (*residual)(foehn_wind *w, double *ratio);

    /* The mean wind at once, as foehn_wind_solve() says; NULL: this model has none. */
    foehn_status (*solve)(foehn_wind *w, double reduction, int most, foehn_wind_solution *solution);
};

/* Fields of a running mean. */
static inline int foehn_wind_means(const foehn_wind *w)
{
    return w->model->has_products ? WIND_MEANS : WIND_SPEED_MEANS;
}

/* The row for these parameters; NULL: none takes them. */
const wind_model *foehn_wind_model_of(const foehn_wind_params *p);

#endif
