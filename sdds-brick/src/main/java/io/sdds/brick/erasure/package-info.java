/**
 * Reed-Solomon coding of LH*RS: the Galois field, the coding matrix, and kernels that multiply bytes by coefficients.
 *
 * <p>All kernels compute the same bytes. Which one a brick uses changes nothing but speed.
 */
@NullMarked
package io.sdds.brick.erasure;

import org.jspecify.annotations.NullMarked;
