/**
 * The variants of the papers that options select only for measuring: atomic splitting and individual shipping (LH*LH),
 * requests by IP multicast (RP*N). They serve the comparisons of {@code sdds bench paper}; a table of default options
 * runs none of them.
 */
@NullMarked
package io.sdds.brick.experiment;

import org.jspecify.annotations.NullMarked;
