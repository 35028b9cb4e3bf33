/**
 * Variants of the papers that exist only for measurements: atomic splitting and individual shipping (LH*LH), and
 * requests by IP multicast (RP*N). {@code sdds bench paper} compares them with the defaults. A table with default
 * options uses none of them.
 */
@NullMarked
package io.sdds.brick.experiment;

import org.jspecify.annotations.NullMarked;
