;; Which rows of codes are near one of the probes. near-codes.ts has the compiled module, and says where in the memory all is.
(module
  (import "codes" "memory" (memory 1))

  ;; A row has 128 codes, 8-bit numbers. A probe has the same, and then its reach as a 64-bit float. A row is near when
  ;; its squared distance is at most the square of the reach and the row's error, a 32-bit float.
  ;; Writes the places of the near rows one after the other, as 32-bit numbers, and gives the address where they end.
  (func (export "near")
    (param $row i32) (param $error i32) (param $rows i32)
    (param $firstProbe i32) (param $probes i32)
    (param $found i32)
    (result i32)
    (local $place i32) (local $probe i32) (local $lastProbe i32)
    (local $at i32) (local $sum v128) (local $difference v128)
    (local $distance i32) (local $limit f64)

    (local.set $lastProbe
      (i32.add (local.get $firstProbe) (i32.mul (local.get $probes) (i32.const 136))))
    (block $end
      (loop $nextRow
        (br_if $end (i32.ge_u (local.get $place) (local.get $rows)))
        ;; The next row is written over it unless it is near.
        (i32.store (local.get $found) (local.get $place))
        (local.set $probe (local.get $firstProbe))
        (block $isKnown
          (loop $nextProbe
            (br_if $isKnown (i32.ge_u (local.get $probe) (local.get $lastProbe)))
            (local.set $sum (v128.const i64x2 0 0))
            (local.set $at (i32.const 0))
            ;; Sixteen codes at a time: their differences, squared, and added in pairs.
            (loop $nextCodes
              (local.set $difference
                (i16x8.sub
                  (v128.load8x8_s (i32.add (local.get $row) (local.get $at)))
                  (v128.load8x8_s (i32.add (local.get $probe) (local.get $at)))))
              (local.set $sum
                (i32x4.add (local.get $sum)
                  (i32x4.dot_i16x8_s (local.get $difference) (local.get $difference))))
              (local.set $difference
                (i16x8.sub
                  (v128.load8x8_s offset=8 (i32.add (local.get $row) (local.get $at)))
                  (v128.load8x8_s offset=8 (i32.add (local.get $probe) (local.get $at)))))
              (local.set $sum
                (i32x4.add (local.get $sum)
                  (i32x4.dot_i16x8_s (local.get $difference) (local.get $difference))))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br_if $nextCodes (i32.lt_u (local.get $at) (i32.const 128))))
            (local.set $distance
              (i32.add
                (i32.add
                  (i32x4.extract_lane 0 (local.get $sum))
                  (i32x4.extract_lane 1 (local.get $sum)))
                (i32.add
                  (i32x4.extract_lane 2 (local.get $sum))
                  (i32x4.extract_lane 3 (local.get $sum)))))
            (local.set $limit
              (f64.add
                (f64.load offset=128 (local.get $probe))
                (f64.promote_f32 (f32.load (local.get $error)))))
            (if
              (f64.le
                (f64.convert_i32_s (local.get $distance))
                (f64.mul (local.get $limit) (local.get $limit)))
              (then
                (local.set $found (i32.add (local.get $found) (i32.const 4)))
                (br $isKnown)))
            (local.set $probe (i32.add (local.get $probe) (i32.const 136)))
            (br $nextProbe)))
        (local.set $row (i32.add (local.get $row) (i32.const 128)))
        (local.set $error (i32.add (local.get $error) (i32.const 4)))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br $nextRow)))
    (local.get $found)))
